-- A run that did not come to its end was called failed once another one began.
UPDATE crawls SET status = 'interrupted' WHERE status = 'failed';
