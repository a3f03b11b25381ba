-- The websites, links and pixels that a board's parameters name, found when the parameters were written. The share of a
-- board opens these. The transfer of a website takes its rows away.
CREATE TABLE board_subjects (
  board_id   TEXT NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
  subject_id TEXT NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN ('website', 'link', 'pixel')), -- what the parameters call it
  put_by     TEXT,                                                       -- the user who put it there and owned it then
  PRIMARY KEY (board_id, subject_id, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX board_subjects_by_subject ON board_subjects (subject_id);

INSERT INTO board_subjects (board_id, subject_id, kind)
SELECT DISTINCT boards.id, named.value, substr(list.key, 1, length(list.key) - 3)
FROM boards, json_each(boards.subjects) AS list, json_each(list.value) AS named;

ALTER TABLE boards DROP COLUMN subjects;
