-- Months and years that nothing was written to for an hour are merged into one part: a long range opens one file of a column for each in
-- place of four, and rows of the tables of counts that are alike become one. A late event has its month merged again an hour later.
ALTER TABLE events MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE custom_events MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE event_data MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE shape_days MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE shape_months MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE event_days MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE visit_days MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE value_months MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;
