-- Each category is a group of its own until the next build folds synonyms.
ALTER TABLE tools ADD COLUMN category_group VARCHAR;
UPDATE tools SET category_group = category;
