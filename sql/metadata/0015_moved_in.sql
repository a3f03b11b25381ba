-- What an import from another system has brought, by its table here. It brings nothing twice: what was changed or
-- deleted here since stays so.
CREATE TABLE moved_in (
  thing TEXT NOT NULL, -- the name of the table
  id    TEXT NOT NULL,
  PRIMARY KEY (thing, id)
) STRICT, WITHOUT ROWID;
