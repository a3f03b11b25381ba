import { type Caller, callers } from './world.ts'

/**
 * What every endpoint answers to every kind of caller, written by hand: what the right is, not what the code does.
 *
 * non no credential · wrg a wrong key · exp an expired key of the owner · oth a write key for another website
 * lst the owner's write key for this website alone · rea the owner's read key · wri the owner's write key
 * out somebody else, signed in · own the owner, signed in · tow tma tme tvo members of the team whose website it is:
 * owner, manager, member, view-only · vou a manager of the team who is a view-only user
 * sha a share with the section · clo a share of the website that opens nothing · pub no credential, on a website that
 * opens the section to everyone · adm an admin, signed in · ope the operator's admin key
 */
const table = `
#                                                      non wrg exp oth lst rea wri out own tow tma tme tvo vou sha clo
# pub adm ope
GET    /api/websites/:websiteId/stats                 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/pageviews             401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/metrics               401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/metrics/expanded      401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/values                401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/active                401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/realtime/:websiteId                       401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/export                401 401 401 403 200 200 200 403 200 200 200 200 200 200 403 403 401 200 200
GET    /api/websites/:websiteId/events/series         401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/events                 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/events/stats           401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data             401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data/:eventId    401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data/events      401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data/fields      401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data/properties  401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data/values      401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data/stats       401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data-pivot       401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data-pivot/property-series 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data-pivot/array-series 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data-pivot/date-series 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data-pivot/numeric-series 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/event-data-pivot/numeric-stats 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data/properties           401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data/values               401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data/stats                401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data-pivot                401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data/property-series      401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data/array-series         401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data/date-series          401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data/numeric-series       401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/session-data/numeric-stats        401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/sessions 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/sessions/stats 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/sessions/:sessionId 401 401 401 403 404 404 404 403 404 404 404 404 404 404 404 403 404 404 404
GET    /api/websites/:websiteId/sessions/:sessionId/activity 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
DELETE /api/websites/:websiteId/sessions/:sessionId 401 401 401 403 404 403 404 403 404 404 404 404 403 403 403 403 401 404 404
GET    /api/websites/:websiteId/sessions/:sessionId/properties 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/sessions/weekly 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites                                   401 401 401 200 200 200 200 200 200 200 200 200 200 200 403 403 401 200 200
POST   /api/websites                                   401 401 401 403 403 403 200 200 200 200 200 200 200 403 403 403 401 200 200
GET    /api/websites/:websiteId                        401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId                        401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
DELETE /api/websites/:websiteId                        401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
POST   /api/websites/:websiteId/reset                  401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
POST   /api/websites/:websiteId/transfer               401 401 401 403 403 403 200 403 200 200 200 403 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/daterange              401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/chart                  401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/utm/metrics            401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/utm                                401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/goals/stats           401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/breakdown             401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/performance/stats     401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/performance/chart     401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/performance/metrics   401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/revenue/stats         401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/revenue/chart         401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/revenue/metrics       401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/revenue/sessions      401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/goal                              401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/goals                             401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/breakdown                         401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/insights                          401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/performance                       401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/revenue                           401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/funnels/stats         401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/journeys              401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/retention             401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/attribution           401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/funnel                            401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/journey                           401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/retention                         401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports/attribution                       401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/charts                            401 401 401 200 200 200 200 200 200 200 200 200 200 200 200 200 401 200 200
GET    /api/websites/:websiteId/shares                 401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
POST   /api/websites/:websiteId/shares                 401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/segments               401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId/segments               401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/segments/:segmentId    401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId/segments/:segmentId    401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
DELETE /api/websites/:websiteId/segments/:segmentId    401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/annotations            401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId/annotations            401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/annotations/:annotationId 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId/annotations/:annotationId 401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
DELETE /api/websites/:websiteId/annotations/:annotationId 401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/recorder               200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
GET    /api/links                                     401 401 401 200 200 200 200 200 200 200 200 200 200 200 403 403 401 200 200
POST   /api/links                                     401 401 401 403 403 403 200 200 200 200 200 200 200 403 403 403 401 200 200
GET    /api/links/charts                              401 401 401 200 200 200 200 200 200 200 200 200 200 200 200 200 401 200 200
GET    /api/links/:linkId                             401 401 401 404 404 200 200 404 200 200 200 200 200 200 404 404 401 200 200
POST   /api/links/:linkId                             401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200
DELETE /api/links/:linkId                             401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200
GET    /api/links/:linkId/shares                      401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200
POST   /api/links/:linkId/shares                      401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200
GET    /api/teams/:teamId/links                       401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200
GET    /api/pixels                                    401 401 401 200 200 200 200 200 200 200 200 200 200 200 403 403 401 200 200
POST   /api/pixels                                    401 401 401 403 403 403 200 200 200 200 200 200 200 403 403 403 401 200 200
GET    /api/pixels/charts                             401 401 401 200 200 200 200 200 200 200 200 200 200 200 200 200 401 200 200
GET    /api/pixels/:pixelId                           401 401 401 404 404 200 200 404 200 200 200 200 200 200 404 404 401 200 200
POST   /api/pixels/:pixelId                           401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200
DELETE /api/pixels/:pixelId                           401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200
GET    /api/pixels/:pixelId/shares                    401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200
POST   /api/pixels/:pixelId/shares                    401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200
GET    /api/teams/:teamId/pixels                      401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200
GET    /api/boards                                    401 401 401 403 403 200 200 200 200 200 200 200 200 200 403 403 401 200 200
POST   /api/boards                                    401 401 401 403 403 403 200 200 200 200 200 200 200 403 403 403 401 200 200
GET    /api/boards/:boardId                           401 401 401 404 404 200 200 404 200 200 200 200 200 200 404 404 401 200 200
POST   /api/boards/:boardId                           401 401 401 404 404 403 200 404 200 200 200 200 403 403 403 403 401 200 200
DELETE /api/boards/:boardId                           401 401 401 404 404 403 200 404 200 200 200 200 403 403 403 403 401 200 200
POST   /api/boards/:boardId/clone                     401 401 401 404 404 403 200 404 200 200 200 200 403 403 403 403 401 200 200
GET    /api/boards/:boardId/shares                    401 401 401 404 404 403 200 404 200 200 200 200 403 403 403 403 401 200 200
POST   /api/boards/:boardId/shares                    401 401 401 404 404 403 200 404 200 200 200 200 403 403 403 403 401 200 200
GET    /api/teams/:teamId/boards                      401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200
GET    /api/dashboard                                 401 401 401 403 403 200 200 200 200 200 200 200 200 200 403 403 401 200 200
POST   /api/dashboard                                 401 401 401 403 403 403 200 200 200 200 200 200 200 403 403 403 401 200 200
GET    /api/reports                                   401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/reports                                   401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/reports/:reportId                         401 401 401 404 200 200 200 404 200 200 200 200 200 200 403 403 401 200 200
POST   /api/reports/:reportId                         401 401 401 404 200 403 200 404 200 200 200 200 403 403 403 403 401 200 200
DELETE /api/reports/:reportId                         401 401 401 404 200 403 200 404 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/reports               401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/funnels               401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId/funnels               401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/funnels/:funnelId     401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId/funnels/:funnelId     401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
DELETE /api/websites/:websiteId/funnels/:funnelId     401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/funnels/:funnelId/stats 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
GET    /api/websites/:websiteId/goals                 401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId/goals                 401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/goals/:goalId         401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/websites/:websiteId/goals/:goalId         401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
DELETE /api/websites/:websiteId/goals/:goalId         401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/websites/:websiteId/goals/:goalId/stats   401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200
POST   /api/share                                      401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200
GET    /api/share/:slug                                200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
GET    /api/share/id/:shareId                          401 401 401 404 200 404 200 404 200 200 200 200 404 404 403 403 401 200 200
POST   /api/share/id/:shareId                          401 401 401 404 200 403 200 404 200 200 200 200 404 404 403 403 401 200 200
DELETE /api/share/id/:shareId                          401 401 401 404 200 403 200 404 200 200 200 200 404 404 403 403 401 200 200
GET    /api/teams                                      401 401 401 403 403 200 200 200 200 200 200 200 200 200 403 403 401 200 200
POST   /api/teams                                      401 401 401 403 403 403 200 200 200 200 200 200 200 403 403 403 401 200 200
POST   /api/teams/join                                 401 401 401 403 403 403 200 200 200 200 200 200 200 200 403 403 401 200 403
GET    /api/teams/:teamId                              401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200
POST   /api/teams/:teamId                              401 401 401 403 403 403 200 403 200 200 200 403 403 403 403 403 401 200 200
DELETE /api/teams/:teamId                              401 401 401 403 403 403 200 403 200 200 403 403 403 403 403 403 401 200 200
GET    /api/teams/:teamId/users                        401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200
POST   /api/teams/:teamId/users                        401 401 401 403 403 403 200 403 200 200 200 403 403 403 403 403 401 200 200
GET    /api/teams/:teamId/users/:userId                401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200
POST   /api/teams/:teamId/users/:userId                401 401 401 403 403 403 200 403 200 200 200 403 403 403 403 403 401 200 200
DELETE /api/teams/:teamId/users/:userId                401 401 401 403 403 403 200 403 200 200 200 403 403 403 403 403 401 200 200
GET    /api/teams/:teamId/websites                     401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200
GET    /api/me                                         401 401 401 200 200 200 200 200 200 200 200 200 200 200 200 200 401 200 200
POST   /api/me/password                                401 401 401 403 403 403 403 200 200 200 200 200 200 200 403 403 401 200 403
GET    /api/me/teams                                   401 401 401 403 403 200 200 200 200 200 200 200 200 200 403 403 401 200 200
GET    /api/me/websites                                401 401 401 200 200 200 200 200 200 200 200 200 200 200 403 403 401 200 200
GET    /api/me/api-keys                                401 401 401 403 403 403 403 200 200 200 200 200 200 200 403 403 401 200 403
POST   /api/me/api-keys                                401 401 401 403 403 403 403 200 200 200 200 200 200 200 403 403 401 200 403
DELETE /api/me/api-keys/:keyId                         401 401 401 403 403 403 403 404 200 404 404 404 404 404 403 403 401 404 403
POST   /api/auth/login                                 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
POST   /api/auth/logout                                401 401 401 403 403 403 403 200 200 200 200 200 200 200 403 403 401 200 403
POST   /api/auth/verify                                401 401 401 403 403 403 403 200 200 200 200 200 200 200 403 403 401 200 403
GET    /api/users                                      401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
POST   /api/users                                      401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
GET    /api/users/:userId                              401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
POST   /api/users/:userId                              401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
DELETE /api/users/:userId                              401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
GET    /api/users/:userId/teams                        401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
GET    /api/users/:userId/websites                     401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
GET    /api/admin/users                                401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
GET    /api/admin/teams                                401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
GET    /api/admin/websites                             401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200
POST   /api/read                                       200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
GET    /api/heartbeat                                 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
GET    /api/config                                    200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
GET    /health                                         200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
GET    /ready                                          200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
`

/**
 * The same of every list that has exports, asked for in another format than JSON. No share here, and no public website,
 * says allowExport.
 */
const exportRow = `
#                                                      non wrg exp oth lst rea wri out own tow tma tme tvo vou sha clo
# pub adm ope
EXPORT any                                             401 401 401 403 200 200 200 403 200 200 200 200 200 200 403 403 403 200 200
`

export interface Expected {
  readonly endpoint: string
  readonly status: Readonly<Record<Caller, number>>
}

const rowsOf = (text: string): Expected[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [method, path, ...statuses] = line.split(/ +/)
      if (statuses.length !== callers.length) throw new Error(`A cell is missing, or one too many: ${line}`)
      const status = Object.fromEntries(callers.map((caller, index) => [caller, Number(statuses[index])]))
      return { endpoint: `${method} ${path}`, status: status as Record<Caller, number> }
    })

export const expected: readonly Expected[] = rowsOf(table)

export const [expectedOfExports] = rowsOf(exportRow) as [Expected]
