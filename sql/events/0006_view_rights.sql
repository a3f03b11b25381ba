-- The views run with the rights of whoever migrates. ClickHouse otherwise asks them of the writer: besides INSERT on
-- ingest, to read ingest and every custom event.
ALTER TABLE events_from_ingest MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER;

ALTER TABLE custom_events_from_ingest MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER;

ALTER TABLE event_data_from_custom_events MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER;

ALTER TABLE event_data_by_id_from_custom_events MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER;
