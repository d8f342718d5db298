-- question: How much of each host is in the corpus, and how well is it known?
SELECT *
FROM coverage
ORDER BY pages DESC, host
