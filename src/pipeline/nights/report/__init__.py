"""The night's report: what a night came to, in one HTML page and its Markdown twin, however it ended.

Facts are gathered read-only from the state, the published copy and the log of nights; they are cut to what fits,
then rendered. A place that cannot be read gives a sentence that says so, in place of its section.
Renderers are pure. What is shown of pages was cut and freed of characters that act before any renderer sees it.
"""
