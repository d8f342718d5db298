-- What a price is for was part of its period (`user/month`); the next build reads it anew.
ALTER TABLE pricing_tiers ADD COLUMN amount_max DOUBLE;
ALTER TABLE pricing_tiers ADD COLUMN is_from BOOLEAN DEFAULT false;
ALTER TABLE pricing_tiers ALTER COLUMN is_from SET NOT NULL;
ALTER TABLE pricing_tiers ALTER COLUMN is_from DROP DEFAULT;
ALTER TABLE pricing_tiers ADD COLUMN unit VARCHAR;
ALTER TABLE pricing_tiers ADD COLUMN billing VARCHAR;
