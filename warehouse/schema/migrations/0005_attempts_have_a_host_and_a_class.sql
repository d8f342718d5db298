ALTER TABLE fetches ADD COLUMN host VARCHAR;
UPDATE fetches SET host = nullif(lower(regexp_extract(url, '^[a-z]+://([^/:?#]+)', 1)), '');

-- As the outcomes stood then; a word that is not among them is one of an earlier version.
ALTER TABLE fetches ADD COLUMN outcome_class VARCHAR DEFAULT 'other';
ALTER TABLE fetches ALTER COLUMN outcome_class SET NOT NULL;
ALTER TABLE fetches ALTER COLUMN outcome_class DROP DEFAULT;
UPDATE fetches SET outcome_class = 'answered' WHERE outcome IN ('stored', 'unchanged');
UPDATE fetches
SET outcome_class = 'failed'
WHERE
    outcome IN (
        'blocked', 'dns_error', 'connect_error', 'connect_timeout', 'read_timeout', 'deadline', 'incomplete',
        'server_error', 'throttled', 'protocol_error', 'decode_error', 'too_large', 'blocked_address',
        'tls_error', 'redirect_limit', 'unexpected_status', 'empty', 'unreadable', 'internal_error'
    );
