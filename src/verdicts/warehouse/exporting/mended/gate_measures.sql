-- The examples quote what pages said before and after.
UPDATE ops.gate_measures
SET examples = []
