-- Clicks and scroll depths on two pages of an invented website, for its views of the last 30 days. The clicks fall on
-- typical parts of a page: a menu, buttons, cards, questions, a footer. Everything comes from a hash of the view, so
-- equal events always give equal rows.

insert into ingest_heatmap_events (
  website_id, visit_id, session_id, created_at, arrived_at, request, place, type, url_path,
  x, y, page_x, page_y, page_w, page_h, viewport_w, viewport_h, scroll_pct
)
with
  what -> bitShiftRight(cityHash64(event_id, what), 11) / 9007199254740992 as chance,
  -- Chooses the middle of a range more often than its ends.
  (first, second) -> (chance(first) + chance(second)) / 2 as middling,

  -- Parts of a page: left, top, width and height in pixels, and how often it is clicked.
  [(96, 28, 90, 24, 4), (420, 30, 60, 20, 6), (520, 30, 60, 20, 8), (620, 30, 60, 20, 5), (720, 30, 60, 20, 3),
    (1180, 28, 60, 24, 5), (1270, 22, 110, 36, 9)] as wide_menu,
  [(120, 2380, 90, 18, 1), (120, 2412, 90, 18, 1), (420, 2380, 90, 18, 1), (420, 2412, 90, 18, 1),
    (720, 2380, 90, 18, 1), (1020, 2380, 90, 18, 1)] as wide_footer,
  [(120, 470, 190, 52, 22), (330, 470, 170, 52, 7), (780, 200, 540, 340, 9), (120, 960, 280, 32, 6),
    (540, 960, 280, 32, 5), (960, 960, 280, 32, 3), (320, 1240, 120, 36, 4), (480, 1240, 120, 36, 3),
    (640, 1240, 120, 36, 2), (320, 1560, 800, 40, 4), (320, 1630, 800, 40, 3), (320, 1700, 800, 40, 2),
    (620, 2020, 200, 56, 8)] as wide_home,
  [(560, 290, 150, 40, 7), (730, 290, 150, 40, 9), (160, 760, 280, 48, 9), (580, 760, 280, 48, 22),
    (1000, 760, 280, 48, 5), (160, 1100, 1120, 36, 3), (160, 1160, 1120, 36, 2), (160, 1220, 1120, 36, 2),
    (320, 1620, 800, 40, 5), (320, 1690, 800, 40, 4), (320, 1760, 800, 40, 3)] as wide_prices,
  [(16, 20, 90, 28, 3), (334, 14, 44, 44, 12), (24, 3960, 120, 20, 1), (24, 4000, 120, 20, 1),
    (210, 3960, 120, 20, 1)] as narrow_frame,
  [(24, 380, 342, 52, 24), (24, 446, 342, 52, 7), (24, 1080, 220, 32, 5), (24, 1500, 220, 32, 4),
    (24, 1920, 220, 32, 3), (24, 2500, 342, 48, 4), (24, 2570, 342, 48, 3), (24, 3300, 342, 56, 8)] as narrow_home,
  [(24, 260, 165, 40, 7), (201, 260, 165, 40, 8), (24, 700, 342, 48, 9), (24, 1300, 342, 48, 18),
    (24, 1900, 342, 48, 5), (24, 2600, 342, 48, 5), (24, 2670, 342, 48, 4)] as narrow_prices,

  device = 'mobile' as is_narrow,
  if(is_narrow, (390, 4300, 664), (1440, 2600, 900)) as size,
  multiIf(
    is_narrow, arrayConcat(narrow_frame, if(url_path = '/', narrow_home, narrow_prices)),
    arrayConcat(wide_menu, if(url_path = '/', wide_home, wide_prices), wide_footer)
  ) as parts,
  arrayCumSum(part -> part.5, parts) as edges,
  parts[arrayFirstIndex(edge -> chance('part') * edges[-1] < edge, edges)] as part,
  toInt32(part.1 + part.3 * middling('left', 'right')) as clicked_x,
  toInt32(part.2 + part.4 * middling('above', 'below')) as clicked_y,
  -- The scroll depth of the view. Each view yields a row for the depth, and most views also one for a click.
  greatest(toInt32(100 * size.3 / size.2), toInt32(100 * pow(chance('depth'), 0.8))) as depth,
  arrayJoin(if(chance('clicked') < 0.6, [1, 2], [2])) as kind
select
  website_id,
  visit_id,
  session_id,
  created_at + toIntervalMillisecond(toUInt32(2000 + 20000 * chance('after'))) as happened_at,
  happened_at + toIntervalSecond(5),
  leftPad(lower(hex(cityHash64(event_id, 'request'))), 16, '0'),
  kind,
  kind,
  url_path,
  if(kind = 1, clicked_x, null),
  if(kind = 1, least(clicked_y, toInt32(size.3 / 2)), null),
  if(kind = 1, clicked_x, null),
  if(kind = 1, clicked_y, null),
  size.1,
  size.2,
  size.1,
  size.3,
  if(kind = 2, depth, null)
from events
where website_id = {website_id:UUID} and event_type = 1 and url_path in ('/', '/pricing')
  and created_at between now() - toIntervalDay(30) and now() - toIntervalMinute(1)
