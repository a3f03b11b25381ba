-- Which parameters of its address a link passes on to its target.
ALTER TABLE websites ADD COLUMN pass_query TEXT NOT NULL DEFAULT 'utm' CHECK (pass_query IN ('none', 'utm', 'all'));
