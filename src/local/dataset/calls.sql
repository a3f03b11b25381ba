-- Identify calls for invented websites: one for each session with a distinct id, at its first event. The values come
-- from a hash of the session, so equal events always give equal calls.

insert into ingest_session_data (
  website_id, session_id, distinct_id, created_at,
  properties.key, properties.data_type, properties.string_value, properties.number_value, properties.date_value
)
with
  what -> bitShiftRight(cityHash64(session_id, what), 11) / 9007199254740992 as chance,
  ['free', 'team', 'business', 'enterprise'][toUInt32(pow(5, chance('plan')))] as plan,
  toUInt32(pow(2000, chance('size'))) as company_size,
  date_trunc('second', called_at) - toIntervalSecond(toUInt32(chance('signed_up_at') * 400 * 86400)) as signed_up_at
select
  website_id,
  session_id,
  said,
  called_at,
  ['plan', 'company_size', 'signed_up_at'],
  [1, 2, 4],
  [plan, toString(company_size), formatDateTime(signed_up_at, '%Y-%m-%dT%H:%i:%SZ')],
  [null, toDecimal64(company_size, 4), null],
  [null, null, signed_up_at]
from (
  select website_id, session_id, min(distinct_id) as said, min(created_at) as called_at
  from events
  where website_id = {website_id:UUID} and distinct_id != ''
  group by website_id, session_id
)
