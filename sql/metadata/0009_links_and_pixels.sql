-- A link redirects, and a pixel is an image. Both count their hits as a website counts its views: who may see them, their
-- shares and their answers follow the same rules. So they are rows of the same table.
ALTER TABLE websites ADD COLUMN kind TEXT NOT NULL DEFAULT 'website' CHECK (kind IN ('website', 'link', 'pixel'));

-- What the address of a link or a pixel ends with. That of a deleted one stays taken.
ALTER TABLE websites ADD COLUMN slug TEXT;

-- Where a link leads.
ALTER TABLE websites ADD COLUMN url TEXT;

CREATE UNIQUE INDEX websites_by_slug ON websites (kind, slug) WHERE slug IS NOT NULL;

-- 1: of a website, 2: of a link, 3: of a pixel, 4: of a board. website_id is the id of each.
ALTER TABLE shares ADD COLUMN share_type INTEGER NOT NULL DEFAULT 1;
