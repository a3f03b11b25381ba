-- How long a website keeps its data, as JSON: eventMonths, replayDays, heatmapDays. NULL: as long as the others.
ALTER TABLE websites ADD COLUMN retention TEXT;
