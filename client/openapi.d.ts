/**
 * The types of Weir's API, made from its OpenAPI document by `npm run client`.
 */

export interface paths {
    "/api/websites/{websiteId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of every kind except performance measurements, newest first, paged.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/events/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Totals of custom events in the range and in the period to compare with.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteEventStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/events/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Custom events by name over time.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteEventSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events with properties, and all their properties, newest first, paged.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getEventData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts of properties by event name, property name and data type.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getEventDataEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts of values by property name and data type.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getEventDataFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts of properties by event name and property name, and the data type of most of their values.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getEventDataProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The number of events with properties, of property names, and of properties.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getEventDataStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts of the values of one property.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=plan`.
         */
        get: operations["getEventDataValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The properties of one event. The list is empty if the event is unknown or has no properties.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?`.
         */
        get: operations["getEventDataById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data-pivot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of one name with properties, newest first, paged. Each row holds the properties as parallel arrays.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&eventName=buy`.
         */
        get: operations["getEventDataPivot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data-pivot/property-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The values of a text or boolean property over time.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&eventName=buy&propertyName=plan`.
         */
        get: operations["getEventDataPropertySeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data-pivot/array-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The elements of an array property over time.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&eventName=buy&propertyName=tags`.
         */
        get: operations["getEventDataArraySeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data-pivot/date-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events by the date in their property, one row for each second.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&eventName=buy&propertyName=at`.
         */
        get: operations["getEventDataDateSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data-pivot/numeric-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sum, mean or count of a number property over time.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&eventName=buy&propertyName=amount`.
         */
        get: operations["getEventDataNumericSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/event-data-pivot/numeric-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The total, mean, median, minimum and maximum of a number property; all 0 without values.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: events.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&eventName=buy&propertyName=amount`.
         */
        get: operations["getEventDataNumericStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Properties of sessions by name and data type, and how many sessions have each.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getSessionDataProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current values of a property of sessions, and how many sessions have each.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=plan`.
         */
        get: operations["getSessionDataValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Visits, views and events of sessions, by the current value of a text property; most active first.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=plan`.
         */
        get: operations["getSessionDataStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data-pivot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions with a property, latest identify call first, paged. Each row holds all current properties as parallel arrays.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=plan`.
         */
        get: operations["getSessionDataPivot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data/property-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions by the current value of a text or boolean property over time. Each counts at its identify call.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=plan`.
         */
        get: operations["getSessionDataPropertySeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data/array-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions by the elements of a current array property over time. Each counts at its identify call.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=tags`.
         */
        get: operations["getSessionDataArraySeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data/date-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions by the date in a current property, one row for each second.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=at`.
         */
        get: operations["getSessionDataDateSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data/numeric-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sum, mean or count of a current number property over time. Each value counts at its identify call.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=amount`.
         */
        get: operations["getSessionDataNumericSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/session-data/numeric-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The total, mean, median, minimum and maximum of a current number property of sessions; all 0 without values.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&propertyName=amount`.
         */
        get: operations["getSessionDataNumericStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Totals of views, visitors, visits, bounces and time, in the range and in the period to compare with.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, compare.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/pageviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Views and sessions over time. With compare, also those of the other period.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, compare.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsitePageviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions by a value of their views or visits, or custom events by name; most frequent first.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&type=path`.
         */
        get: operations["getWebsiteMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/metrics/expanded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Views, visitors, visits, bounces and time, by a value of views or visits, or by custom event name.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&type=path`.
         */
        get: operations["getWebsiteExpandedMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The values of a field, and how many views and custom events have each; most frequent first.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&type=path`.
         */
        get: operations["getWebsiteValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The number of visitors who sent any event within the last five minutes.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     An answer is kept for at most 5 seconds.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?`.
         */
        get: operations["getWebsiteActive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Seven metrics of the range as CSV files, in a ZIP encoded in Base64.
         * @description Needs a credential with the right to view the website.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["exportWebsite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/realtime/{websiteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last half hour, by minutes. With Accept: text/event-stream, it is sent again at each change.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: realtime.
         *
         *     An answer is kept for at most 5 seconds.
         *
         *     With `Accept: text/event-stream`, the server sends the answer again at each change.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?`.
         */
        get: operations["getRealtime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/goals/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The number of sessions that reached a path or an event, and of all sessions.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: goals.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&type=path&value=%2Fpric*`.
         */
        get: operations["getWebsiteGoalStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/goal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The number of sessions that reached a path or an event, and of all sessions.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: goals.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getGoalReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The report goal under its former name, goals.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: goals.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getGoalsReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Views, visitors, visits, bounces and time for each combination of field values.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&fields=path%2Cbrowser`.
         */
        get: operations["getWebsiteBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Views, visitors, visits, bounces and time for each combination of field values.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getBreakdownReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The report breakdown under its former name, insights.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getInsightsReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/performance/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Percentiles of each web vital, and the number of measurements.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: performance.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsitePerformanceStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/performance/chart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Percentiles of a web vital over time.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: performance.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsitePerformanceChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/performance/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Percentiles of a web vital by page, title, device or browser; slowest first.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: performance.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&type=path`.
         */
        get: operations["getWebsitePerformanceMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Percentiles of web vitals: in all, over time, and by page, title, device and browser.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: performance.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getPerformanceReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/revenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revenue in a currency: over time, its totals, and by country, region, referrer and channel.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: revenue.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getRevenueReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/utm/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The values of a UTM parameter, and the number of views with each; most frequent first.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: utm.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&type=utm_source`.
         */
        get: operations["getWebsiteUtmMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/utm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The values of all five UTM parameters, and the number of views with each; most frequent first.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: utm.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getUTMReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/funnels/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many sessions reach each step of a funnel, each within a time of the step before.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: funnels.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&window=60&steps=%5B%7B%22type%22%3A%22path%22%2C%22value%22%3A%22%2Fpricing%22%7D%2C%7B%22type%22%3A%22event%22%2C%22value%22%3A%22buy%22%7D%5D`.
         */
        get: operations["getWebsiteFunnelStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/funnel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * How many sessions reach each step of a funnel, each within a time of the step before.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: funnels.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getFunnelReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/journeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The first pages and events of visits, and how many visits began that way; most frequent first.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: journeys.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&steps=3`.
         */
        get: operations["getWebsiteJourneys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/journey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same as GET journeys.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: journeys.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getJourneyReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many visitors of each date came back on each of the next 31 days.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: retention.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * How many visitors of each date came back on each of the next 31 days.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: retention.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getRetentionReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/attribution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where converting sessions came from. One visit of each session gets the credit.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&model=first-click&type=path&step=%2Fpricing`.
         */
        get: operations["getWebsiteAttribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/attribution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Where converting sessions came from. One visit of each session gets the credit.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: attribution.
         *
         *     It changes nothing, so a key that may only read may send it.
         */
        post: operations["getAttributionReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/revenue/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Revenue in a currency: sum, sales, buyers and means, in the range and in the period to compare with.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: revenue.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&currency=EUR`.
         */
        get: operations["getWebsiteRevenueStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/revenue/chart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Revenue in a currency and the number of sales over time, by event name.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: revenue.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&currency=EUR`.
         */
        get: operations["getWebsiteRevenueChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/revenue/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Revenue in a currency by country, region, referrer or channel; highest first.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: revenue.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&currency=EUR&type=country`.
         */
        get: operations["getWebsiteRevenueMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/revenue/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions with a sale in a currency, last seen first, paged. Rows are like those of the list of sessions.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: revenue.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999&currency=EUR`.
         */
        get: operations["getWebsiteRevenueSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions with a view or a custom event, last seen first, paged.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/sessions/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The number of views, visitors, visits, countries and custom events.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteSessionStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/sessions/weekly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions with a view, by day of the week (Sunday first) and local hour.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions, overview.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteSessionsWeekly"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One session: its attributes at its last view or custom event, its figures, and its distinct ids.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions, events, realtime, revenue.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?`.
         */
        get: operations["getWebsiteSession"];
        put?: never;
        post?: never;
        /**
         * Hides a session from lists and look-ups. The next purge removes it from all counts.
         * @description Needs a credential with the right to update the website.
         */
        delete: operations["deleteWebsiteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/sessions/{sessionId}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The views and custom events of a session, newest first. The list is empty if the session is unknown.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     `Accept` may ask for the whole list as NDJSON, CSV or Parquet.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteSessionActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/sessions/{sessionId}/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current properties of a session, from its identify calls. The list is empty if the session is unknown.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: sessions.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?`.
         */
        get: operations["getWebsiteSessionProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Saved reports of a website, newest first, paged.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getReports"];
        put?: never;
        /**
         * Saves the parameters of a report under a name.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["createReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One saved report.
         * @description Needs an API key or a sign-in.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getReport"];
        put?: never;
        /**
         * Replaces the name, the description and the parameters of a saved report.
         * @description Needs an API key or a sign-in.
         */
        post: operations["updateReport"];
        /**
         * Deletes a saved report.
         * @description Needs an API key or a sign-in.
         */
        delete: operations["deleteReport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as /api/reports of this website.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/funnels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Saved funnels of a website, newest first, paged.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: funnels.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteFunnels"];
        put?: never;
        /**
         * Saves a funnel.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["createWebsiteFunnel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/funnels/{funnelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One saved funnel.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: funnels.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteFunnel"];
        put?: never;
        /**
         * Replaces the name, the description and the parameters of a saved funnel.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["updateWebsiteFunnel"];
        /**
         * Deletes a saved funnel.
         * @description Needs a credential with the right to update the website.
         */
        delete: operations["deleteWebsiteFunnel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/funnels/{funnelId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many sessions reach each step of a saved funnel.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: funnels.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteSavedFunnelStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Saved goals of a website, newest first, paged.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: goals.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteGoals"];
        put?: never;
        /**
         * Saves a goal.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["createWebsiteGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/goals/{goalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One saved goal.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: goals.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteGoal"];
        put?: never;
        /**
         * Replaces the name, the description and the parameters of a saved goal.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["updateWebsiteGoal"];
        /**
         * Deletes a saved goal.
         * @description Needs a credential with the right to update the website.
         */
        delete: operations["deleteWebsiteGoal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/goals/{goalId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The number of sessions that reached a saved goal, and of all sessions.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: goals.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteSavedGoalStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s websites, or those that the key opens, paged.
         * @description Needs an API key or a sign-in.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["listWebsites"];
        put?: never;
        /**
         * Creates a website for the caller or a team. A shareId also makes a share. Only admins may choose the id.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         */
        post: operations["createWebsite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/{teamId}/websites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Websites of a team, paged.
         * @description Needs a credential with the right to view the team.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getTeamWebsites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/websites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as /api/websites.
         * @description Needs an API key or a sign-in.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getMyWebsites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/websites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Websites of a user, paged.
         * @description Needs the sign-in of the user in the path, or of an admin.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getUserWebsites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/websites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All websites, paged.
         * @description Needs the sign-in of an admin, or the operator’s key.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getAdminWebsites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Visitors by half days, for several websites at once; by default over the last seven days and today. Leaves out websites that the caller may not see.
         * @description Needs any credential, such as the token of a share.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsitesCharts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One website.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsite"];
        put?: never;
        /**
         * Changes the given fields of a website.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["updateWebsite"];
        /**
         * Deletes a website. It stops answering.
         * @description Needs a credential with the right to update the website.
         */
        delete: operations["deleteWebsite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resets a website: hides all events before this moment.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["resetWebsite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfers a website to the caller or a team. Admins may name any user.
         * @description Needs a credential with the right to transfer the website.
         */
        post: operations["transferWebsite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/daterange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The times of the website’s first and last event; null without events.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?`.
         */
        get: operations["getWebsiteDateRange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/chart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Visitors by half days of local time, and in the whole range: a small chart for lists.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, compare.
         *
         *     It may stand in a batch (`POST /api/read`).
         *
         *     The example is the answer to `?startAt=1760486400000&endAt=1760572799999`.
         */
        get: operations["getWebsiteChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/recorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings of the recorder on the website’s pages. Everyone may read them; caches keep them for a minute.
         * @description Needs no credential.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteRecorderConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Visitors by half days, for several links at once; by default over the last seven days and today. Leaves out links that the caller may not see.
         * @description Needs any credential, such as the token of a share.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getLinksCharts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pixels/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Visitors by half days, for several pixels at once; by default over the last seven days and today. Leaves out pixels that the caller may not see.
         * @description Needs any credential, such as the token of a share.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getPixelsCharts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s own links, without those of teams, paged.
         * @description Needs an API key or a sign-in.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getLinks"];
        put?: never;
        /**
         * Creates a link for the caller or a team. Only admins may choose its id.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One link.
         * @description Needs a credential with the right to view the link. A share opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getLink"];
        put?: never;
        /**
         * Changes the given fields of a link. Another teamId changes its owner.
         * @description Needs a credential with the right to update the link.
         */
        post: operations["updateLink"];
        /**
         * Deletes a link. Its slug stays taken.
         * @description Needs a credential with the right to update the link.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/{teamId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The links of a team, paged.
         * @description Needs a credential with the right to view the team.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getTeamLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pixels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s own pixels, without those of teams, paged.
         * @description Needs an API key or a sign-in.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getPixels"];
        put?: never;
        /**
         * Creates a pixel for the caller or a team. Only admins may choose its id.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         */
        post: operations["createPixel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pixels/{pixelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One pixel.
         * @description Needs a credential with the right to view the pixel. A share opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getPixel"];
        put?: never;
        /**
         * Changes the given fields of a pixel. Another teamId changes its owner.
         * @description Needs a credential with the right to update the pixel.
         */
        post: operations["updatePixel"];
        /**
         * Deletes a pixel. Its slug stays taken.
         * @description Needs a credential with the right to update the pixel.
         */
        delete: operations["deletePixel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/{teamId}/pixels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The pixels of a team, paged.
         * @description Needs a credential with the right to view the team.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getTeamPixels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/boards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s own boards, without those of teams, paged. The operator’s key gets all boards.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getBoards"];
        put?: never;
        /**
         * Creates a board of the caller, or of a team.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         */
        post: operations["createBoard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/boards/{boardId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One board. The holder of a share of it may read it, too.
         * @description Needs any credential, such as the token of a share.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getBoard"];
        put?: never;
        /**
         * Changes the given fields of a board.
         * @description Needs an API key or a sign-in.
         */
        post: operations["updateBoard"];
        /**
         * Deletes a board and its shares.
         * @description Needs an API key or a sign-in.
         */
        delete: operations["deleteBoard"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/boards/{boardId}/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copies a board into the same team, or for the caller. The given fields replace those of the copy.
         * @description Needs an API key or a sign-in.
         */
        post: operations["cloneBoard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/{teamId}/boards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The boards of a team, paged.
         * @description Needs a credential with the right to view the team.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getTeamBoards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s board of the type dashboard; null before the first POST.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getDashboard"];
        put?: never;
        /**
         * Changes the given fields of the caller’s dashboard, or creates it.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         */
        post: operations["updateDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Annotations of a website, latest date first, paged. A range restricts them.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteAnnotations"];
        put?: never;
        /**
         * Creates an annotation: a note on a date.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["createWebsiteAnnotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/annotations/{annotationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One annotation.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteAnnotation"];
        put?: never;
        /**
         * Replaces the date, the note and allDay of an annotation.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["updateWebsiteAnnotation"];
        /**
         * Deletes an annotation.
         * @description Needs a credential with the right to update the website.
         */
        delete: operations["deleteWebsiteAnnotation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Segments or cohorts of a website, paged, ordered by name.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteSegments"];
        put?: never;
        /**
         * Saves filters as a segment; or filters, an action and a date range as a cohort.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["createWebsiteSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/segments/{segmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One segment or cohort.
         * @description Needs a credential with the right to view the website. A share or a public website opens it, too, if one of these sections is open: overview, events, sessions, realtime, performance, compare, breakdown, goals, funnels, journeys, retention, utm, revenue, attribution.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteSegment"];
        put?: never;
        /**
         * Replaces the type, the name and the parameters of a segment or cohort.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["updateWebsiteSegment"];
        /**
         * Deletes a segment or cohort. Requests that name it are then refused.
         * @description Needs a credential with the right to update the website.
         */
        delete: operations["deleteWebsiteSegment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/websites/{websiteId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shares of a website, expired ones included, paged.
         * @description Needs a credential with the right to update the website.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getWebsiteShares"];
        put?: never;
        /**
         * Shares a website. Without parameters the share opens nothing yet.
         * @description Needs a credential with the right to update the website.
         */
        post: operations["createWebsiteShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{linkId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shares of a link, expired ones included, paged.
         * @description Needs a credential with the right to update the link.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getLinkShares"];
        put?: never;
        /**
         * Shares a link. Without parameters the share opens nothing yet.
         * @description Needs a credential with the right to update the link.
         */
        post: operations["createLinkShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pixels/{pixelId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shares of a pixel, expired ones included, paged.
         * @description Needs a credential with the right to update the pixel.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getPixelShares"];
        put?: never;
        /**
         * Shares a pixel. Without parameters the share opens nothing yet.
         * @description Needs a credential with the right to update the pixel.
         */
        post: operations["createPixelShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/boards/{boardId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shares of a board, expired ones included, paged.
         * @description Needs an API key or a sign-in.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getBoardShares"];
        put?: never;
        /**
         * Shares a board. The parameters open sections of every website, link and pixel that the board names.
         * @description Needs an API key or a sign-in.
         */
        post: operations["createBoardShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Shares a website, link, pixel or board. Anyone with the slug sees what the parameters open.
         * @description Needs an API key or a sign-in.
         */
        post: operations["createShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/share/id/{shareId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One share, for callers who may change its website.
         * @description Needs an API key or a sign-in.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getShare"];
        put?: never;
        /**
         * Replaces the name and the parameters of a share. Another slug ends its tokens.
         * @description Needs an API key or a sign-in.
         */
        post: operations["updateShare"];
        /**
         * Deletes a share. Its slug and its tokens stop working.
         * @description Needs an API key or a sign-in.
         */
        delete: operations["deleteShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/share/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a share opens, and a token for it. The slug is the only credential needed.
         * @description Needs no credential.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getShareBySlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s teams, paged. The operator’s key gets all teams.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getTeams"];
        put?: never;
        /**
         * Creates a team for the caller. Admins may name another owner.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds the caller to the team with this access code.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         */
        post: operations["joinTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/{teamId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One team with its members.
         * @description Needs a credential with the right to view the team.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getTeam"];
        put?: never;
        /**
         * Changes the name or the access code of a team.
         * @description Needs a credential with the right to update the team.
         */
        post: operations["updateTeam"];
        /**
         * Deletes a team and everything it owns.
         * @description Needs a credential with the right to delete the team.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as /api/teams.
         * @description Needs a sign-in, or an API key that is not limited to some websites.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getMyTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The teams of a user, paged.
         * @description Needs the sign-in of the user in the path, or of an admin.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getUserTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All teams, paged.
         * @description Needs the sign-in of an admin, or the operator’s key.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getAdminTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/{teamId}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Members of a team, paged.
         * @description Needs a credential with the right to view the team.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getTeamUsers"];
        put?: never;
        /**
         * Adds a user to a team.
         * @description Needs a credential with the right to update the team.
         */
        post: operations["createTeamUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/{teamId}/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One member of a team.
         * @description Needs a credential with the right to view the team.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getTeamUser"];
        put?: never;
        /**
         * Changes the role of a team member.
         * @description Needs a credential with the right to update the team.
         */
        post: operations["updateTeamUser"];
        /**
         * Removes a member from a team. Every member may leave.
         * @description Needs a credential with the right to view the team.
         */
        delete: operations["deleteTeamUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users, paged.
         * @description Needs the sign-in of an admin, or the operator’s key.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getUsers"];
        put?: never;
        /**
         * Creates a user.
         * @description Needs the sign-in of an admin, or the operator’s key.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users, paged.
         * @description Needs the sign-in of an admin, or the operator’s key.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getAdminUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user.
         * @description Needs the sign-in of an admin, or the operator’s key.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getUser"];
        put?: never;
        /**
         * Changes a user. A new password ends all sign-ins of the user.
         * @description Needs the sign-in of an admin, or the operator’s key.
         */
        post: operations["updateUser"];
        /**
         * Deletes a user, their websites, and teams without another owner.
         * @description Needs the sign-in of an admin, or the operator’s key.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The owner and the kind of this credential.
         * @description Needs any credential, such as the token of a share.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes your password. Your other sign-ins end; your keys stay.
         * @description Needs a sign-in with a password. API keys are refused.
         */
        post: operations["updateMyPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your API keys, expired ones included, newest first.
         * @description Needs a sign-in with a password. API keys are refused.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getMyApiKeys"];
        put?: never;
        /**
         * Creates an API key. Only this answer shows it.
         * @description Needs a sign-in with a password. API keys are refused.
         */
        post: operations["createMyApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes one of your API keys. It stops working.
         * @description Needs a sign-in with a password. API keys are refused.
         */
        delete: operations["deleteMyApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs a user in with a password. The token lasts a week.
         * @description Needs no credential.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends this sign-in. Its token stops working.
         * @description Needs a sign-in with a password. API keys are refused.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The signed-in user, with their teams.
         * @description Needs a sign-in with a password. API keys are refused.
         */
        post: operations["verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows that the Worker answers. It asks neither ClickHouse nor D1.
         * @description Needs no credential.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Says whether D1 and each replica of ClickHouse can be read. The answer is at most a second old.
         * @description Needs no credential.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as /health, under Umami’s path.
         * @description Needs no credential.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["heartbeat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The configuration that Umami’s clients ask for before sign-in.
         * @description Needs no credential.
         *
         *     It may stand in a batch (`POST /api/read`).
         */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers up to 20 GET paths of this API in one round trip, in order, each with a status of its own.
         * @description Needs no credential.
         */
        post: operations["read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: {
                /** @description A sentence that says what to do about it. */
                message: string;
                /** @enum {string} */
                code: "bad-request" | "unauthorized" | "incorrect-username-password" | "forbidden" | "not-found" | "team-not-found" | "method-not-allowed" | "not-acceptable" | "conflict" | "payload-too-large" | "too-many-requests" | "server-error" | "service-unavailable";
                status: number;
                requestId: string;
                /** @description With 400: the parameters or fields that are wrong, and what each allows. */
                issues?: {
                    path: string;
                    message: string;
                }[];
            };
        };
        Price: {
            tables: {
                table: string;
                rows: number;
                parts: number;
            }[];
            /** @description Of all tables together. */
            rows: number;
        };
        Annotation: {
            id: string;
            websiteId: string;
            /** @description The author; null for the operator, and through a share. */
            userId: string | null;
            date: string;
            allDay: boolean;
            note: string;
            createdAt: string;
            updatedAt: string;
        };
        Attribution: {
            referrer: components["schemas"]["NamedCount"][];
            paidAds: components["schemas"]["NamedCount"][];
            utm_source: components["schemas"]["NamedCount"][];
            utm_medium: components["schemas"]["NamedCount"][];
            utm_campaign: components["schemas"]["NamedCount"][];
            utm_content: components["schemas"]["NamedCount"][];
            utm_term: components["schemas"]["NamedCount"][];
            total: {
                pageviews: number;
                visitors: number;
                visits: number;
            };
        };
        Board: {
            id: string;
            /** @enum {string} */
            type: "mixed" | "website" | "pixel" | "link" | "dashboard";
            name: string;
            description: string;
            parameters: {
                [key: string]: unknown;
            };
            userId: string | null;
            teamId: string | null;
            createdAt: string;
            updatedAt: string;
        };
        Boards: {
            data: components["schemas"]["Board"][];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
            orderBy?: string;
            sortDescending?: boolean;
            search?: string;
        };
        BreakdownReportBodyParameters: {
            /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
            startAt?: number;
            /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
            endAt?: number;
            /**
             * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
             * @example 2025-10-15
             * @example 2025-10-15T16:26:28Z
             */
            startDate?: string;
            /**
             * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
             * @example 2025-10-15
             * @example 2025-10-15T16:26:28Z
             */
            endDate?: string;
            /**
             * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
             * @example UTC
             * @example America/Los_Angeles
             */
            timezone?: string;
            /**
             * @description The fields to break down by: a JSON array or a comma-separated list.
             * @example ["path","browser"]
             * @example path,browser
             */
            fields: unknown;
            /**
             * @description The most rows.
             * @default 500
             */
            limit?: number;
            /**
             * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
             * @example 2025-10-15T16:26:28Z
             * @example 1760545588000
             */
            minAsOf?: string;
            /**
             * @description Clients send it. It must be valid, and has no effect here.
             * @enum {string}
             */
            unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description Clients send it. It must be valid, and has no effect here.
             * @enum {string}
             */
            compare?: "prev" | "yoy";
        };
        Chart: {
            values: number[];
            total: number;
        };
        CloneBoardBody: {
            name?: string;
            description?: string;
            parameters?: {
                [key: string]: unknown;
            };
        };
        CohortParameters: {
            filters?: (components["schemas"]["CreateWebsiteSegmentBodyParametersFiltersItem"] | components["schemas"]["CreateWebsiteSegmentBodyParametersFiltersItem2"])[];
            /** @enum {string} */
            match?: "all" | "any";
            sessionPropertyFilters?: unknown[];
            /** @description The period of the action: <number><unit> such as 30day, of hour, day, week, month and year (that many units back and the whole of the current one; 0day is today), range:<start>:<end> in milliseconds since 1970, both included, or all. Days are in the timezone of the request that names the cohort. Weeks begin on Monday. */
            dateRange?: string;
            /** @description The action that makes a session a member: an event of any kind with exactly this path or name. */
            action?: {
                /** @enum {string} */
                type: "path" | "event";
                value: string;
            };
        };
        CountPoint: {
            t: string;
            y: number;
        };
        CreateReportBody: {
            /** Format: uuid */
            websiteId: string;
            /** @enum {string} */
            type: "attribution" | "breakdown" | "funnel" | "goal" | "heatmap" | "journey" | "performance" | "retention" | "revenue" | "utm";
            name: string;
            description?: string;
            parameters: {
                [key: string]: unknown;
            };
        };
        CreateWebsiteFunnelBody: {
            name: string;
            description?: string;
            parameters: {
                [key: string]: unknown;
            };
        };
        CreateWebsiteSegmentBodyParametersFiltersItem: {
            name: string;
            type?: unknown;
            label?: unknown;
            /** @enum {string} */
            operator: "eq" | "neq";
            value: string | string[];
        };
        CreateWebsiteSegmentBodyParametersFiltersItem2: {
            name: string;
            type?: unknown;
            label?: unknown;
            /** @enum {string} */
            operator: "c" | "dnc" | "re" | "nre";
            value: string;
        };
        Done: {
            /** @constant */
            ok: true;
        };
        EventDataValuesItem: {
            value: string;
            total: number;
        };
        Figure: {
            value: number;
        };
        FunnelStep: {
            type: string;
            value: string;
            filters?: {
                property: string;
                operator: string;
                value: string;
            }[];
            visitors: number;
            previous: number;
            dropped: number;
            dropoff: number;
            remaining: number;
        };
        GoalReportBodyParameters: {
            /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
            startAt?: number;
            /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
            endAt?: number;
            /**
             * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
             * @example 2025-10-15
             * @example 2025-10-15T16:26:28Z
             */
            startDate?: string;
            /**
             * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
             * @example 2025-10-15
             * @example 2025-10-15T16:26:28Z
             */
            endDate?: string;
            /**
             * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
             * @example UTC
             * @example America/Los_Angeles
             */
            timezone?: string;
            /**
             * @description Whether the value is a path or an event name.
             * @enum {string}
             */
            type: "path" | "event";
            /** @description The path or the event name; a * at its start or its end stands for any text. */
            value: string;
            /**
             * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
             * @example 2025-10-15T16:26:28Z
             * @example 1760545588000
             */
            minAsOf?: string;
            /**
             * @description Clients send it. It must be valid, and has no effect here.
             * @enum {string}
             */
            unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description Clients send it. It must be valid, and has no effect here.
             * @enum {string}
             */
            compare?: "prev" | "yoy";
        };
        GoalResult: {
            num: number;
            total: number;
        };
        Link: {
            id: string;
            name: string;
            slug: string;
            userId: string | null;
            teamId: string | null;
            createdAt: string;
            updatedAt: string;
            /** @constant */
            deletedAt: null;
            url: string;
        };
        Links: {
            data: components["schemas"]["Link"][];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
            orderBy?: string;
            sortDescending?: boolean;
            search?: string;
        };
        ListWebsites: {
            data: components["schemas"]["ListedWebsite"][];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
            orderBy?: string;
            sortDescending?: boolean;
            search?: string;
        };
        ListedSavedReport: {
            id: string;
            /** @description Its author; null for the operator, and through a share. */
            userId: string | null;
            websiteId: string;
            /** @enum {string} */
            type: "attribution" | "breakdown" | "funnel" | "goal" | "heatmap" | "journey" | "performance" | "retention" | "revenue" | "utm";
            name: string;
            description: string;
            parameters: {
                [key: string]: unknown;
            };
            createdAt: string;
            updatedAt: string;
            website: {
                domain: string;
                userId: string | null;
            };
        };
        ListedTeam: {
            id: string;
            name: string;
            /** @description Anyone who knows it may join. Shown to callers who may change the team. */
            accessCode: string | null;
            logoUrl: string | null;
            /** @constant */
            twoFactorRequired: false;
            createdAt: string;
            updatedAt: string;
            /** @constant */
            deletedAt: null;
            members: components["schemas"]["NamedTeamMember"][];
            _count: {
                websites: number;
                members: number;
            };
        };
        ListedUser: {
            id: string;
            username: string;
            /** @enum {string} */
            role: "admin" | "user" | "view-only";
            createdAt: string;
            /** @constant */
            twoFactorRequired: false;
            _count: {
                websites: number;
            };
        };
        ListedWebsite: {
            id: string;
            name: string;
            domain: string | null;
            /** @description The slug of the newest share, shown to callers who may change the website. */
            shareId: string | null;
            /** @description Events before it are hidden. */
            resetAt: string | null;
            userId: string | null;
            teamId: string | null;
            createdBy: string | null;
            createdAt: string | null;
            updatedAt: string | null;
            /** @constant */
            deletedAt: null;
            recorderEnabled: boolean;
            replayConfig: components["schemas"]["ReplayConfig"] | null;
            /** @description The sections and options that are open to everyone. */
            public: {
                [key: string]: unknown;
            } | null;
            user?: components["schemas"]["UserName"];
            createUser?: components["schemas"]["UserName"];
        };
        NamedCount: {
            name: string;
            value: number;
        };
        NamedPoint: {
            x: string;
            t: string;
            y: number;
        };
        NamedTeamMember: {
            id: string;
            teamId: string;
            userId: string;
            role: string;
            createdAt: string;
            updatedAt: string;
            user: components["schemas"]["UserName"];
        };
        NewAnnotation: {
            date: string;
            note: string;
            allDay?: boolean;
        };
        NewShare: {
            name: string;
            parameters?: components["schemas"]["ShareParameters"];
        };
        NumberPoint: {
            t: string;
            y: number;
        };
        NumberStatistics: {
            total: number;
            average: number;
            median: number;
            max: number;
            min: number;
        };
        Percentiles: {
            p50: number;
            p75: number;
            p95: number;
        };
        Pixel: {
            id: string;
            name: string;
            slug: string;
            userId: string | null;
            teamId: string | null;
            createdAt: string;
            updatedAt: string;
            /** @constant */
            deletedAt: null;
        };
        Pixels: {
            data: components["schemas"]["Pixel"][];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
            orderBy?: string;
            sortDescending?: boolean;
            search?: string;
        };
        Point: {
            x: string;
            y: number;
        };
        ReplayConfig: {
            replayEnabled?: boolean;
            heatmapEnabled?: boolean;
            sampleRate?: number;
            heatmapSampleRate?: number;
            /** @enum {string} */
            maskLevel?: "strict" | "moderate";
            maxDuration?: number;
            blockSelector?: string;
        };
        ReportFilters: {
            /** @description Filter. URL path. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as path1, path2… */
            path?: string[];
            /** @description Filter. Referring domain; never the event’s own hostname. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as referrer1, referrer2… */
            referrer?: string[];
            /** @description Filter. Page title. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as title1, title2… */
            title?: string[];
            /** @description Filter. Query string of the page. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as query1, query2… */
            query?: string[];
            /** @description Filter. Browser. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as browser1, browser2… */
            browser?: string[];
            /** @description Filter. Operating system. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as os1, os2… */
            os?: string[];
            /** @description Filter. Device class. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as device1, device2… */
            device?: string[];
            /** @description Filter. Country code. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as country1, country2… */
            country?: string[];
            /** @description Filter. Region, state or province. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as region1, region2… */
            region?: string[];
            /** @description Filter. City. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as city1, city2… */
            city?: string[];
            /** @description Filter. Browser language, as a whole tag. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as language1, language2… */
            language?: string[];
            /** @description Filter. Hostname. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as hostname1, hostname2… */
            hostname?: string[];
            /** @description Filter. Tag. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as tag1, tag2… */
            tag?: string[];
            /** @description Filter. Event name. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as event1, event2… */
            event?: string[];
            /** @description Filter. Distinct id. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as distinctId1, distinctId2… */
            distinctId?: string[];
            /** @description Filter. UTM source. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmSource1, utmSource2… */
            utmSource?: string[];
            /** @description Filter. UTM medium. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmMedium1, utmMedium2… */
            utmMedium?: string[];
            /** @description Filter. UTM campaign. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmCampaign1, utmCampaign2… */
            utmCampaign?: string[];
            /** @description Filter. UTM content. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmContent1, utmContent2… */
            utmContent?: string[];
            /** @description Filter. UTM term. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmTerm1, utmTerm2… */
            utmTerm?: string[];
            /**
             * @description Filter by kind of event: 1 page view, 2 custom event, 3 link, 4 pixel, 5 performance; or a list of kinds.
             * @example 2
             * @example neq.1,5
             */
            eventType?: string;
            /** @description Keeps visits with more than one page view in the range. Any value except false and 0 turns it on. */
            excludeBounce?: string;
            /**
             * @description Whether all or any of the field filters must match.
             * @default all
             * @enum {string}
             */
            match?: "all" | "any";
            /**
             * Format: uuid
             * @description A saved segment. The request gets its filters: they replace those of the same name. Its match, if any, replaces match.
             */
            segment?: string;
            /**
             * Format: uuid
             * @description A saved cohort: keeps the events of its sessions. It has each session with an event that lies in the cohort’s date range, is the cohort’s action, and passes the cohort’s filters. Days are in timezone.
             */
            cohort?: string;
            /** @description Property filter <dataType>.<operator>.<property>.<value>. Percent-encode the property. More filters: epf1, epf2… */
            epf0?: string[];
            /** @description Filter by a current property of the session, in the form of epf0. Keeps the events of matching sessions. More filters: spf1, spf2… */
            spf0?: string[];
            /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
            startAt?: number;
            /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
            endAt?: number;
        };
        Reports: {
            data: components["schemas"]["ListedSavedReport"][];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
            orderBy?: string;
            sortDescending?: boolean;
            search?: string;
        };
        RetentionDay: {
            date: string;
            day: number;
            visitors: number;
            returnVisitors: number;
            percentage: number;
        };
        RevenueReportTotal: {
            sum: number;
            count: number;
            unique_count: number;
            total_sessions: number;
            average: number;
            arpu: number;
            comparison: components["schemas"]["SalesTotals"];
        };
        SalesMetric: {
            name: string;
            value: number;
            country?: string;
        };
        SalesPoint: {
            x: string;
            t: string;
            y: number;
            count: number;
        };
        SalesTotals: {
            sum: number;
            count: number;
            unique_count: number;
            total_sessions: number;
            average: number;
            arpu: number;
        };
        SavedReport: {
            id: string;
            /** @description Its author; null for the operator, and through a share. */
            userId: string | null;
            websiteId: string;
            /** @enum {string} */
            type: "attribution" | "breakdown" | "funnel" | "goal" | "heatmap" | "journey" | "performance" | "retention" | "revenue" | "utm";
            name: string;
            description: string;
            parameters: {
                [key: string]: unknown;
            };
            createdAt: string;
            updatedAt: string;
        };
        Segment: {
            id: string;
            websiteId: string;
            /** @enum {string} */
            type: "segment" | "cohort";
            name: string;
            /** @description Empty through a share or a public website with locked filters. */
            parameters: {
                [key: string]: unknown;
            };
            createdAt: string;
            updatedAt: string;
        };
        SegmentParameters: {
            filters?: (components["schemas"]["CreateWebsiteSegmentBodyParametersFiltersItem"] | components["schemas"]["CreateWebsiteSegmentBodyParametersFiltersItem2"])[];
            /** @enum {string} */
            match?: "all" | "any";
            sessionPropertyFilters?: unknown[];
        };
        Share: {
            id: string;
            entityId: string;
            name: string;
            /** @description 1: a website, 2: a link, 3: a pixel, 4: a board. */
            shareType: 1 | 2 | 3 | 4;
            slug: string;
            parameters: {
                [key: string]: unknown;
            };
            createdAt: string;
            updatedAt: string;
        };
        ShareParameters: {
            overview?: boolean;
            events?: boolean;
            sessions?: boolean;
            realtime?: boolean;
            performance?: boolean;
            compare?: boolean;
            breakdown?: boolean;
            goals?: boolean;
            funnels?: boolean;
            journeys?: boolean;
            retention?: boolean;
            utm?: boolean;
            revenue?: boolean;
            attribution?: boolean;
            allowFilter?: boolean;
            allowExport?: boolean;
            /** @enum {string} */
            theme?: "light" | "dark";
            filters?: {
                [key: string]: unknown;
            };
            origins?: string[];
            expiresAt?: string | null;
        };
        SignedInUser: {
            id: string;
            username: string;
            /** @enum {string} */
            role: "admin" | "user" | "view-only";
            createdAt: string;
            isAdmin: boolean;
            teams: {
                id: string;
                name: string;
                logoUrl: string | null;
            }[];
        };
        Team: {
            id: string;
            name: string;
            /** @description Anyone who knows it may join. Shown to callers who may change the team. */
            accessCode: string | null;
            logoUrl: string | null;
            /** @constant */
            twoFactorRequired: false;
            createdAt: string;
            updatedAt: string;
            /** @constant */
            deletedAt: null;
        };
        TeamMember: {
            id: string;
            teamId: string;
            userId: string;
            role: string;
            createdAt: string;
            updatedAt: string;
        };
        Teams: {
            data: components["schemas"]["ListedTeam"][];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
            orderBy?: string;
            sortDescending?: boolean;
            search?: string;
        };
        User: {
            id: string;
            username: string;
            /** @enum {string} */
            role: "admin" | "user" | "view-only";
            createdAt: string;
        };
        UserName: {
            id: string;
            username: string;
        };
        Users: {
            data: components["schemas"]["ListedUser"][];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
            orderBy?: string;
            sortDescending?: boolean;
            search?: string;
        };
        UtmCount: {
            utm: string;
            views: number;
        };
        VitalsPoint: {
            p50: number;
            p75: number;
            p95: number;
            t: string;
        };
        VitalsSummary: {
            lcp: components["schemas"]["Percentiles"];
            inp: components["schemas"]["Percentiles"];
            cls: components["schemas"]["Percentiles"];
            fcp: components["schemas"]["Percentiles"];
            ttfb: components["schemas"]["Percentiles"];
            count: number;
        };
        Website: {
            id: string;
            name: string;
            domain: string | null;
            /** @description The slug of the newest share, shown to callers who may change the website. */
            shareId: string | null;
            /** @description Events before it are hidden. */
            resetAt: string | null;
            userId: string | null;
            teamId: string | null;
            createdBy: string | null;
            createdAt: string | null;
            updatedAt: string | null;
            /** @constant */
            deletedAt: null;
            recorderEnabled: boolean;
            replayConfig: components["schemas"]["ReplayConfig"] | null;
            /** @description The sections and options that are open to everyone. */
            public: {
                [key: string]: unknown;
            } | null;
        };
        WebsiteBreakdownItem: {
            views: number;
            visitors: number;
            visits: number;
            bounces: number;
            totaltime: number;
        } & {
            [key: string]: string | number;
        };
        WebsiteJourneysItem: {
            items: string[];
            count: number;
        };
        WebsitePerformanceMetricsItem: {
            name: string;
            p50: number;
            p75: number;
            p95: number;
            count: number;
        };
        WebsiteRevenueSessions: {
            data: {
                id: string;
                websiteId: string;
                hostname: string;
                browser: string;
                os: string;
                device: string;
                screen: string;
                language: string;
                country: string;
                region: string;
                city: string;
                distinctId: string | null;
                firstAt: string;
                lastAt: string;
                visits: number;
                views: number;
                events: number;
                createdAt: string;
            }[];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
        };
        WebsiteShares: {
            data: components["schemas"]["Share"][];
            count: number;
            page: number;
            pageSize: number;
            /** @constant */
            isCapped?: true;
            orderBy?: string;
            sortDescending?: boolean;
            search?: string;
        };
        WebsitesCharts: {
            data: {
                [key: string]: components["schemas"]["Chart"];
            };
        };
    };
    responses: {
        /** @description An id, a parameter or the body is not valid; issues names what is wrong. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description This is not possible now; the message says why. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential does not allow this. The answer does not tell whether anything exists here. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no user of this name with this password. */
        IncorrectUsernamePassword: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Accept allows none of the formats of this answer. */
        NotAcceptable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is nothing here. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A bug in the server. Its log says more under the id of the request. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description ClickHouse or D1 cannot be read; the message says what to do. */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no team with this access code. */
        TeamNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests for now; Retry-After says when to try again. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is missing or not valid here, or the request has two different ones. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
        startAt: number;
        /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
        endAt: number;
        /** @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone. */
        startDate: string;
        /** @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone. */
        endDate: string;
        /** @description IANA time zone of local days, and of the year that yoy goes back; UTC by default. */
        timezone: string;
        /** @description Part of a custom event’s name or of a page view’s path, in any case. */
        search: string;
        /** @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503. */
        minAsOf: string;
        /** @description Answer within so many milliseconds, or with a 503. The server has a limit of its own. */
        deadline: number;
        /** @description 1 or true: answer with the price (the schema Price) and run nothing. */
        dryRun: "true" | "1" | "false" | "0";
        /** @description Filter. URL path. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as path1, path2… */
        path: string[];
        /** @description Filter. Referring domain; never the event’s own hostname. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as referrer1, referrer2… */
        referrer: string[];
        /** @description Filter. Page title. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as title1, title2… */
        title: string[];
        /** @description Filter. Query string of the page. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as query1, query2… */
        query: string[];
        /** @description Filter. Browser. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as browser1, browser2… */
        browser: string[];
        /** @description Filter. Operating system. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as os1, os2… */
        os: string[];
        /** @description Filter. Device class. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as device1, device2… */
        device: string[];
        /** @description Filter. Country code. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as country1, country2… */
        country: string[];
        /** @description Filter. Region, state or province. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as region1, region2… */
        region: string[];
        /** @description Filter. City. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as city1, city2… */
        city: string[];
        /** @description Filter. Browser language, as a whole tag. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as language1, language2… */
        language: string[];
        /** @description Filter. Hostname. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as hostname1, hostname2… */
        hostname: string[];
        /** @description Filter. Tag. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as tag1, tag2… */
        tag: string[];
        /** @description Filter. Event name. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as event1, event2… */
        event: string[];
        /** @description Filter. Distinct id. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as distinctId1, distinctId2… */
        distinctId: string[];
        /** @description Filter. UTM source. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmSource1, utmSource2… */
        utmSource: string[];
        /** @description Filter. UTM medium. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmMedium1, utmMedium2… */
        utmMedium: string[];
        /** @description Filter. UTM campaign. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmCampaign1, utmCampaign2… */
        utmCampaign: string[];
        /** @description Filter. UTM content. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmContent1, utmContent2… */
        utmContent: string[];
        /** @description Filter. UTM term. A value may start with an operator: eq. neq. (comma-separated values; \, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match). May be repeated, also as utmTerm1, utmTerm2… */
        utmTerm: string[];
        /** @description Filter by kind of event: 1 page view, 2 custom event, 3 link, 4 pixel, 5 performance; or a list of kinds. */
        eventType: string;
        /** @description Keeps visits with more than one page view in the range. Any value except false and 0 turns it on. */
        excludeBounce: string;
        /** @description Whether all or any of the field filters must match. */
        match: "all" | "any";
        /** @description A saved segment. The request gets its filters: they replace those of the same name. Its match, if any, replaces match. */
        segment: string;
        /** @description A saved cohort: keeps the events of its sessions. It has each session with an event that lies in the cohort’s date range, is the cohort’s action, and passes the cohort’s filters. Days are in timezone. */
        cohort: string;
        /** @description Property filter <dataType>.<operator>.<property>.<value>. Percent-encode the property. More filters: epf1, epf2… */
        epf0: string[];
        /** @description Filter by a current property of the session, in the form of epf0. Keeps the events of matching sessions. More filters: spf1, spf2… */
        spf0: string[];
        /** @description The same filters as a JSON object; filters[browser]=… is accepted too. */
        filters: string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        unit: "minute" | "hour" | "day" | "week" | "month" | "year";
        /** @description Clients send it. It must be valid, and has no effect here. */
        orderBy: string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        sortDescending: "true" | "false";
        /** @description Clients send it. It must be valid, and has no effect here. */
        compare: "prev" | "yoy";
        /** @description Clients send it. It must be valid, and has no effect here. */
        page: number;
        /** @description Clients send it. It must be valid, and has no effect here. */
        pageSize: number;
        /** @description Page, from 1. */
        "page.2": number;
        /** @description The number of rows in a page. */
        "pageSize.2": number;
        /** @description The most rows that are counted and paged; isCapped says whether there are more. */
        maxResults: number;
        /** @description The position after a page, from its Link header. Give cursor or page, not both. */
        cursor: string;
        /** @description The most rows. */
        limit: number;
        /** @description The number of rows to skip. */
        offset: number;
        /** @description Only events of exactly this name. */
        eventName: string;
        /** @description Part of an event’s or a property’s name, in any case. */
        "search.2": string;
        /** @description The length of the steps of a series. */
        "unit.2": "minute" | "hour" | "day" | "week" | "month" | "year";
        /** @description Whether buckets without events are included, with 0. */
        fill: "true" | "false";
        /** @description Only events of exactly this name. */
        "eventName.2": string;
        /** @description Property filter <dataType>.<operator>.<value>, or <operator>.<value> for a text. */
        pf_property: string;
        /** @description The exact name of the property. */
        propertyName: string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "search.3": string;
        /** @description Only properties of this type: 1 text, 2 number, 3 boolean, 4 date, 5 array. Of an array, its elements are counted. */
        dataType: number;
        /** @description Part of a value, in any case. */
        "search.4": string;
        /** @description How the numbers of a bucket are combined; sum by default. */
        metric: "sum" | "avg" | "count";
        /** @description The period to compare with: the one just before (prev), or a year earlier (yoy). */
        "compare.2": "prev" | "yoy";
        /** @description The field to break down by. */
        type: "path" | "fullPath" | "title" | "query" | "referrer" | "domain" | "hostname" | "tag" | "utmSource" | "utmMedium" | "utmCampaign" | "utmContent" | "utmTerm" | "browser" | "os" | "device" | "country" | "region" | "city" | "screen" | "distinctId" | "language" | "event" | "entry" | "exit" | "channel";
        /** @description Clients send it. It must be valid, and has no effect here. */
        "startAt.2": number;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "endAt.2": number;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "startDate.2": string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "endDate.2": string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "timezone.2": string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "query.2": string;
        /** @description The web vital; lcp by default. */
        "metric.2": "lcp" | "inp" | "cls" | "fcp" | "ttfb";
        /** @description Only amounts in this currency, in any letter case. */
        currency: string;
        /** @description Part of a name, in any case. */
        "search.5": string;
        /** @description Part of the session’s distinct id, city, browser, system or device, in any case. */
        "search.6": string;
        /** @description The type of report. Required through a share. */
        "type.2": "attribution" | "breakdown" | "funnel" | "goal" | "heatmap" | "journey" | "performance" | "retention" | "revenue" | "utm";
        /** @description Part of the name or the description, in any case. */
        "search.7": string;
        /** @description Part of the name or the domain, in any case. */
        "search.8": string;
        /** @description The field to order by; name by default. */
        "orderBy.2": "name" | "domain" | "createdAt";
        /** @description Whether the order is descending. */
        "sortDescending.2": "true" | "false";
        /** @description Any text adds the websites of the caller’s teams. */
        includeTeams: string;
        /** @description 1 to 20 ids, separated by commas. Repeated ids count once. */
        ids: string;
        /** @description Part of the name, the URL or the slug, in any case. */
        "search.9": string;
        /** @description The field to order by; name by default. */
        "orderBy.3": "name" | "slug" | "url" | "createdAt";
        /** @description The field to order by; name by default. */
        "orderBy.4": "name" | "description" | "type" | "createdAt";
        /** @description Part of the name, in any case. */
        "search.10": string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "path.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "referrer.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "title.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "browser.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "os.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "device.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "country.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "region.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "city.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "language.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "hostname.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "tag.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "event.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "distinctId.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "utmSource.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "utmMedium.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "utmCampaign.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "utmContent.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "utmTerm.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "eventType.2": string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "excludeBounce.2": string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "match.2": "all" | "any";
        /** @description Clients send it. It must be valid, and has no effect here. */
        "segment.2": string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "cohort.2": string;
        /** @description Clients send it. It must be valid, and has no effect here. */
        "epf0.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "spf0.2": string[];
        /** @description Clients send it. It must be valid, and has no effect here. */
        "filters.2": string;
        /** @description The field to order by; createdAt by default. */
        "orderBy.5": "createdAt" | "name";
        /** @description The field to order by; name by default. */
        "orderBy.6": "name" | "createdAt";
        /** @description The field to order by; username by default. */
        "orderBy.7": "username" | "role" | "createdAt";
        /** @description Part of the username, in any case. */
        "search.11": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getWebsiteEvents: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                cursor?: components["parameters"]["cursor"];
                search?: components["parameters"]["search"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events of every kind except performance measurements, newest first, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *           "createdAt": "2025-10-15T16:26:28Z",
                     *           "hostname": "example.com",
                     *           "urlPath": "/pricing",
                     *           "urlQuery": "",
                     *           "referrerPath": "",
                     *           "referrerQuery": "",
                     *           "referrerDomain": "",
                     *           "country": "",
                     *           "city": "",
                     *           "device": "",
                     *           "os": "",
                     *           "browser": "",
                     *           "pageTitle": "",
                     *           "eventType": 2,
                     *           "eventName": "buy",
                     *           "hasData": 1
                     *         },
                     *         {
                     *           "id": "0199e2b4-5c00-7000-8000-000000000003",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *           "createdAt": "2025-10-15T16:26:27Z",
                     *           "hostname": "example.com",
                     *           "urlPath": "/pricing",
                     *           "urlQuery": "",
                     *           "referrerPath": "",
                     *           "referrerQuery": "",
                     *           "referrerDomain": "",
                     *           "country": "",
                     *           "city": "",
                     *           "device": "",
                     *           "os": "",
                     *           "browser": "",
                     *           "pageTitle": "",
                     *           "eventType": 1,
                     *           "eventName": "",
                     *           "hasData": 0
                     *         }
                     *       ],
                     *       "count": 2,
                     *       "page": 1,
                     *       "pageSize": 20
                     *     }
                     */
                    "application/json": {
                        data: {
                            id: string;
                            websiteId: string;
                            sessionId: string;
                            createdAt: string;
                            hostname: string;
                            urlPath: string;
                            urlQuery: string;
                            referrerPath: string;
                            referrerQuery: string;
                            referrerDomain: string;
                            country: string;
                            city: string;
                            device: string;
                            os: string;
                            browser: string;
                            pageTitle: string;
                            eventType: number;
                            eventName: string;
                            hasData: number;
                        }[];
                        count: number;
                        page: number;
                        pageSize: number;
                        /** @constant */
                        isCapped?: true;
                    };
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteEventStats: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                compare?: components["parameters"]["compare.2"];
                search?: components["parameters"]["search"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals of custom events in the range and in the period to compare with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "events": 1,
                     *         "visitors": 1,
                     *         "visits": 1,
                     *         "uniqueEvents": 1,
                     *         "comparison": {
                     *           "events": 0,
                     *           "visitors": 0,
                     *           "visits": 0,
                     *           "uniqueEvents": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            events: number;
                            visitors: number;
                            visits: number;
                            uniqueEvents: number;
                            comparison: {
                                events: number;
                                visitors: number;
                                visits: number;
                                uniqueEvents: number;
                            };
                        };
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteEventSeries: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                /** @description The most names to return: those with the most events. All by default. */
                limit?: number;
                search?: components["parameters"]["search.10"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Custom events by name over time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "x": "buy",
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NamedPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventData: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                cursor?: components["parameters"]["cursor"];
                search?: components["parameters"]["search"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events with properties, and all their properties, newest first, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "eventId": "00000000-0000-4000-8000-000000000001",
                     *           "eventName": "buy",
                     *           "eventProperties": [
                     *             {
                     *               "dataKey": "amount",
                     *               "stringValue": "10.0000",
                     *               "numberValue": 10,
                     *               "dateValue": null,
                     *               "dataType": 2,
                     *               "createdAt": "2025-10-15T16:26:28Z"
                     *             },
                     *             {
                     *               "dataKey": "at",
                     *               "stringValue": "2025-10-15T00:00:00Z",
                     *               "numberValue": null,
                     *               "dateValue": "2025-10-15T00:00:00Z",
                     *               "dataType": 4,
                     *               "createdAt": "2025-10-15T16:26:28Z"
                     *             },
                     *             {
                     *               "dataKey": "gift",
                     *               "stringValue": "true",
                     *               "numberValue": null,
                     *               "dateValue": null,
                     *               "dataType": 3,
                     *               "createdAt": "2025-10-15T16:26:28Z"
                     *             },
                     *             {
                     *               "dataKey": "plan",
                     *               "stringValue": "pro",
                     *               "numberValue": null,
                     *               "dateValue": null,
                     *               "dataType": 1,
                     *               "createdAt": "2025-10-15T16:26:28Z"
                     *             },
                     *             {
                     *               "dataKey": "tags",
                     *               "stringValue": "[\"a\",\"b\"]",
                     *               "numberValue": null,
                     *               "dateValue": null,
                     *               "dataType": 5,
                     *               "createdAt": "2025-10-15T16:26:28Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20
                     *     }
                     */
                    "application/json": {
                        data: {
                            websiteId: string;
                            eventId: string;
                            eventName: string;
                            eventProperties: {
                                dataKey: string;
                                stringValue: string;
                                numberValue: number | null;
                                dateValue: string | null;
                                dataType: number;
                                createdAt: string;
                            }[];
                        }[];
                        count: number;
                        page: number;
                        pageSize: number;
                        /** @constant */
                        isCapped?: true;
                    };
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataEvents: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                eventName?: components["parameters"]["eventName"];
                search?: components["parameters"]["search.2"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts of properties by event name, property name and data type. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "amount",
                     *         "dataType": 2,
                     *         "total": 1
                     *       },
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "at",
                     *         "dataType": 4,
                     *         "total": 1
                     *       },
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "gift",
                     *         "dataType": 3,
                     *         "total": 1
                     *       },
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "plan",
                     *         "dataType": 1,
                     *         "total": 1
                     *       },
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "tags",
                     *         "dataType": 5,
                     *         "total": 1
                     *       }
                     *     ]
                     */
                    "application/json": {
                        eventName: string;
                        propertyName: string;
                        dataType: number;
                        total: number;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataFields: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                eventName?: components["parameters"]["eventName"];
                /** @description Part of a property’s name or value, in any case. */
                search?: string;
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts of values by property name and data type. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "propertyName": "amount",
                     *         "dataType": 2,
                     *         "value": "10",
                     *         "total": 1
                     *       },
                     *       {
                     *         "propertyName": "at",
                     *         "dataType": 4,
                     *         "value": "2025-10-15T00:00:00Z",
                     *         "total": 1
                     *       },
                     *       {
                     *         "propertyName": "gift",
                     *         "dataType": 3,
                     *         "value": "true",
                     *         "total": 1
                     *       },
                     *       {
                     *         "propertyName": "plan",
                     *         "dataType": 1,
                     *         "value": "pro",
                     *         "total": 1
                     *       },
                     *       {
                     *         "propertyName": "tags",
                     *         "dataType": 5,
                     *         "value": "[\"a\",\"b\"]",
                     *         "total": 1
                     *       }
                     *     ]
                     */
                    "application/json": {
                        propertyName: string;
                        dataType: number;
                        value: string;
                        total: number;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataProperties: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                /** @description Only properties of exactly this name. */
                propertyName?: string;
                search?: components["parameters"]["search.2"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts of properties by event name and property name, and the data type of most of their values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "amount",
                     *         "total": 1,
                     *         "dataType": 2
                     *       },
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "at",
                     *         "total": 1,
                     *         "dataType": 4
                     *       },
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "gift",
                     *         "total": 1,
                     *         "dataType": 3
                     *       },
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "plan",
                     *         "total": 1,
                     *         "dataType": 1
                     *       },
                     *       {
                     *         "eventName": "buy",
                     *         "propertyName": "tags",
                     *         "total": 1,
                     *         "dataType": 5
                     *       }
                     *     ]
                     */
                    "application/json": {
                        eventName: string;
                        propertyName: string;
                        total: number;
                        dataType: number;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataStats: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                eventName?: components["parameters"]["eventName"];
                search?: components["parameters"]["search"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of events with properties, of property names, and of properties. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "events": 1,
                     *         "properties": 5,
                     *         "records": 5
                     *       }
                     *     ]
                     */
                    "application/json": {
                        events: number;
                        properties: number;
                        records: number;
                    }[];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataValues: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                /** @description Only events of exactly this name; all events by default. */
                event?: string;
                /** @description The same as event. */
                eventName?: string;
                /** @description The exact name of the property whose values are counted. */
                propertyName: string;
                dataType?: components["parameters"]["dataType"];
                search?: components["parameters"]["search.4"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts of the values of one property. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "value": "pro",
                     *         "total": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["EventDataValuesItem"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataById: {
        parameters: {
            query?: {
                /** @description Part of the event’s or a property’s name, or of a value, in any case. */
                search?: string;
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The properties of one event. The list is empty if the event is unknown or has no properties. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "eventId": "00000000-0000-4000-8000-000000000001",
                     *         "urlPath": "/pricing",
                     *         "eventName": "buy",
                     *         "dataKey": "amount",
                     *         "stringValue": "10.0000",
                     *         "numberValue": 10,
                     *         "dateValue": null,
                     *         "dataType": 2,
                     *         "createdAt": "2025-10-15T16:26:28Z"
                     *       },
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "eventId": "00000000-0000-4000-8000-000000000001",
                     *         "urlPath": "/pricing",
                     *         "eventName": "buy",
                     *         "dataKey": "at",
                     *         "stringValue": "2025-10-15T00:00:00Z",
                     *         "numberValue": null,
                     *         "dateValue": "2025-10-15T00:00:00Z",
                     *         "dataType": 4,
                     *         "createdAt": "2025-10-15T16:26:28Z"
                     *       },
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "eventId": "00000000-0000-4000-8000-000000000001",
                     *         "urlPath": "/pricing",
                     *         "eventName": "buy",
                     *         "dataKey": "gift",
                     *         "stringValue": "true",
                     *         "numberValue": null,
                     *         "dateValue": null,
                     *         "dataType": 3,
                     *         "createdAt": "2025-10-15T16:26:28Z"
                     *       },
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "eventId": "00000000-0000-4000-8000-000000000001",
                     *         "urlPath": "/pricing",
                     *         "eventName": "buy",
                     *         "dataKey": "plan",
                     *         "stringValue": "pro",
                     *         "numberValue": null,
                     *         "dateValue": null,
                     *         "dataType": 1,
                     *         "createdAt": "2025-10-15T16:26:28Z"
                     *       },
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "eventId": "00000000-0000-4000-8000-000000000001",
                     *         "urlPath": "/pricing",
                     *         "eventName": "buy",
                     *         "dataKey": "tags",
                     *         "stringValue": "[\"a\",\"b\"]",
                     *         "numberValue": null,
                     *         "dateValue": null,
                     *         "dataType": 5,
                     *         "createdAt": "2025-10-15T16:26:28Z"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        dataKey: string;
                        stringValue: string;
                        numberValue: number | null;
                        dateValue: string | null;
                        dataType: number;
                        createdAt: string;
                        websiteId: string;
                        sessionId: string;
                        eventId: string;
                        urlPath: string;
                        eventName: string;
                    }[];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataPivot: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                cursor?: components["parameters"]["cursor"];
                eventName: components["parameters"]["eventName.2"];
                search?: components["parameters"]["search"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events of one name with properties, newest first, paged. Each row holds the properties as parallel arrays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "eventId": "00000000-0000-4000-8000-000000000001",
                     *           "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *           "eventName": "buy",
                     *           "urlPath": "/pricing",
                     *           "createdAt": "2025-10-15T16:26:28Z",
                     *           "propertyKeys": [
                     *             "amount",
                     *             "at",
                     *             "gift",
                     *             "plan",
                     *             "tags"
                     *           ],
                     *           "propertyValues": [
                     *             "10",
                     *             "2025-10-15T00:00:00Z",
                     *             "true",
                     *             "pro",
                     *             "[\"a\",\"b\"]"
                     *           ]
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20
                     *     }
                     */
                    "application/json": {
                        data: {
                            eventId: string;
                            sessionId: string;
                            eventName: string;
                            urlPath: string;
                            createdAt: string;
                            propertyKeys: string[];
                            propertyValues: string[];
                        }[];
                        count: number;
                        page: number;
                        pageSize: number;
                        /** @constant */
                        isCapped?: true;
                    };
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataPropertySeries: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                eventName: components["parameters"]["eventName.2"];
                propertyName: components["parameters"]["propertyName"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values of a text or boolean property over time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "x": "pro",
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NamedPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataArraySeries: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                eventName: components["parameters"]["eventName.2"];
                propertyName: components["parameters"]["propertyName"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The elements of an array property over time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "x": "a",
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 1
                     *       },
                     *       {
                     *         "x": "b",
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NamedPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataDateSeries: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                eventName: components["parameters"]["eventName.2"];
                propertyName: components["parameters"]["propertyName"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events by the date in their property, one row for each second. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "t": "2025-10-15T00:00:00Z",
                     *         "y": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CountPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataNumericSeries: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                eventName: components["parameters"]["eventName.2"];
                propertyName: components["parameters"]["propertyName"];
                metric?: components["parameters"]["metric"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sum, mean or count of a number property over time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 10
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NumberPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventDataNumericStats: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                eventName: components["parameters"]["eventName.2"];
                propertyName: components["parameters"]["propertyName"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The total, mean, median, minimum and maximum of a number property; all 0 without values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 10,
                     *       "average": 10,
                     *       "median": 10,
                     *       "max": 10,
                     *       "min": 10
                     *     }
                     */
                    "application/json": components["schemas"]["NumberStatistics"];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataProperties: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                /** @description Only sessions with exactly this property. All their properties are listed. */
                propertyName?: string;
                /** @description Part of a property’s name, in any case. */
                search?: string;
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Properties of sessions by name and data type, and how many sessions have each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "propertyName": "amount",
                     *         "dataType": 2,
                     *         "total": 1
                     *       },
                     *       {
                     *         "propertyName": "at",
                     *         "dataType": 4,
                     *         "total": 1
                     *       },
                     *       {
                     *         "propertyName": "plan",
                     *         "dataType": 1,
                     *         "total": 1
                     *       },
                     *       {
                     *         "propertyName": "tags",
                     *         "dataType": 5,
                     *         "total": 1
                     *       }
                     *     ]
                     */
                    "application/json": {
                        propertyName: string;
                        dataType: number;
                        total: number;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataValues: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                /** @description The exact name of the property whose values are counted; every property by default. */
                propertyName?: string;
                dataType?: components["parameters"]["dataType"];
                search?: components["parameters"]["search.4"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current values of a property of sessions, and how many sessions have each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "value": "pro",
                     *         "total": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["EventDataValuesItem"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataStats: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                propertyName: components["parameters"]["propertyName"];
                search?: components["parameters"]["search"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Visits, views and events of sessions, by the current value of a text property; most active first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "label": "pro",
                     *         "activity": 1,
                     *         "sessions": 1,
                     *         "visits": 1,
                     *         "views": 1,
                     *         "events": 0
                     *       }
                     *     ]
                     */
                    "application/json": {
                        label: string;
                        activity: number;
                        sessions: number;
                        visits: number;
                        views: number;
                        events: number;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataPivot: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                cursor?: components["parameters"]["cursor"];
                propertyName: components["parameters"]["propertyName"];
                search?: components["parameters"]["search"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions with a property, latest identify call first, paged. Each row holds all current properties as parallel arrays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *           "distinctId": "ada",
                     *           "createdAt": "2025-10-15T16:00:00Z",
                     *           "propertyKeys": [
                     *             "amount",
                     *             "at",
                     *             "plan",
                     *             "tags"
                     *           ],
                     *           "propertyValues": [
                     *             "10",
                     *             "2025-10-14T22:00:00Z",
                     *             "pro",
                     *             "[\"a\",\"b\"]"
                     *           ]
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20
                     *     }
                     */
                    "application/json": {
                        data: {
                            sessionId: string;
                            distinctId: string;
                            createdAt: string;
                            propertyKeys: string[];
                            propertyValues: string[];
                        }[];
                        count: number;
                        page: number;
                        pageSize: number;
                        /** @constant */
                        isCapped?: true;
                    };
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataPropertySeries: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                propertyName: components["parameters"]["propertyName"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions by the current value of a text or boolean property over time. Each counts at its identify call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "x": "pro",
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NamedPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataArraySeries: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                propertyName: components["parameters"]["propertyName"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions by the elements of a current array property over time. Each counts at its identify call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "x": "a",
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 1
                     *       },
                     *       {
                     *         "x": "b",
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NamedPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataDateSeries: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                propertyName: components["parameters"]["propertyName"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions by the date in a current property, one row for each second. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "t": "2025-10-14T22:00:00Z",
                     *         "y": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CountPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataNumericSeries: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                propertyName: components["parameters"]["propertyName"];
                metric?: components["parameters"]["metric"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sum, mean or count of a current number property over time. Each value counts at its identify call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "t": "2025-10-15T16:00:00Z",
                     *         "y": 10
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NumberPoint"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessionDataNumericStats: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                propertyName: components["parameters"]["propertyName"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                "pf_{property}"?: components["parameters"]["pf_property"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The total, mean, median, minimum and maximum of a current number property of sessions; all 0 without values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 10,
                     *       "average": 10,
                     *       "median": 10,
                     *       "max": 10,
                     *       "min": 10
                     *     }
                     */
                    "application/json": components["schemas"]["NumberStatistics"];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteStats: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                compare?: components["parameters"]["compare.2"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals of views, visitors, visits, bounces and time, in the range and in the period to compare with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pageviews": 1,
                     *       "visitors": 1,
                     *       "visits": 1,
                     *       "bounces": 1,
                     *       "totaltime": 0,
                     *       "comparison": {
                     *         "pageviews": 0,
                     *         "visitors": 0,
                     *         "visits": 0,
                     *         "bounces": 0,
                     *         "totaltime": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        pageviews: number;
                        visitors: number;
                        visits: number;
                        bounces: number;
                        totaltime: number;
                        comparison: {
                            pageviews: number;
                            visitors: number;
                            visits: number;
                            bounces: number;
                            totaltime: number;
                        };
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsitePageviews: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                compare?: components["parameters"]["compare.2"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Views and sessions over time. With compare, also those of the other period. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pageviews": [
                     *         {
                     *           "x": "2025-10-15T16:00:00Z",
                     *           "y": 1
                     *         }
                     *       ],
                     *       "sessions": [
                     *         {
                     *           "x": "2025-10-15T16:00:00Z",
                     *           "y": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        pageviews: components["schemas"]["Point"][];
                        sessions: components["schemas"]["Point"][];
                        startDate?: string;
                        endDate?: string;
                        compare?: {
                            pageviews: components["schemas"]["Point"][];
                            sessions: components["schemas"]["Point"][];
                            startDate: string;
                            endDate: string;
                        };
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteMetrics: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                type: components["parameters"]["type"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                search?: components["parameters"]["search.4"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions by a value of their views or visits, or custom events by name; most frequent first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "x": "/pricing",
                     *         "y": 1
                     *       }
                     *     ]
                     */
                    "application/json": {
                        x: string;
                        y: number;
                        country?: string;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteExpandedMetrics: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                type: components["parameters"]["type"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                search?: components["parameters"]["search.4"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Views, visitors, visits, bounces and time, by a value of views or visits, or by custom event name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "/pricing",
                     *         "pageviews": 1,
                     *         "visitors": 1,
                     *         "visits": 1,
                     *         "bounces": 1,
                     *         "totaltime": 0
                     *       }
                     *     ]
                     */
                    "application/json": {
                        name: string;
                        pageviews: number;
                        visitors: number;
                        visits: number;
                        bounces: number;
                        totaltime: number;
                        country?: string;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteValues: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                /** @description The field whose values are counted. */
                type: "path" | "referrer" | "title" | "query" | "browser" | "os" | "device" | "country" | "region" | "city" | "language" | "hostname" | "tag" | "event" | "distinctId" | "utmSource" | "utmMedium" | "utmCampaign" | "utmContent" | "utmTerm";
                /** @description Up to five texts, separated by commas; values that contain one of them, in any case. \, is a comma. */
                search?: string;
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values of a field, and how many views and custom events have each; most frequent first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "value": "/pricing",
                     *         "count": 1
                     *       }
                     *     ]
                     */
                    "application/json": {
                        value: string;
                        count: number;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteActive: {
        parameters: {
            query?: {
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of visitors who sent any event within the last five minutes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "visitors": 1
                     *     }
                     */
                    "application/json": {
                        visitors: number;
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportWebsite: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                maxResults?: components["parameters"]["maxResults"];
                /** @description formulas: a name that a spreadsheet would run as a formula gets an apostrophe before it (the default); none: names as they are. */
                escape?: "formulas" | "none";
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                /** @description Clients send it. It must be valid, and has no effect here. */
                format?: "json";
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Seven metrics of the range as CSV files, in a ZIP encoded in Base64. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "zip": "UEsDBBQAAAAIAAAAIQDMQku1BQAAAAMAAAAKAAAAZXZlbnRzLmNzdqvQqQQAUEsDBBQAAAAIAAAAIQCliZTiEQAAAA8AAAAJAAAAcGFnZXMuY3N2q9Cp5OXSLyjKTM7MS9cxBABQSwMEFAAAAAgAAAAhAMxCS7UFAAAAAwAAAA0AAAByZWZlcnJlcnMuY3N2q9CpBABQSwMEFAAAAAgAAAAhAMxCS7UFAAAAAwAAAAwAAABicm93c2Vycy5jc3ar0KkEAFBLAwQUAAAACAAAACEAzEJLtQUAAAADAAAABgAAAG9zLmNzdqvQqQQAUEsDBBQAAAAIAAAAIQDMQku1BQAAAAMAAAALAAAAZGV2aWNlcy5jc3ar0KkEAFBLAwQUAAAACAAAACEAzEJLtQUAAAADAAAADQAAAGNvdW50cmllcy5jc3ar0KkEAFBLAQIUABQAAAAIAAAAIQDMQku1BQAAAAMAAAAKAAAAAAAAAAAAAAAAAAAAAABldmVudHMuY3N2UEsBAhQAFAAAAAgAAAAhAKWJlOIRAAAADwAAAAkAAAAAAAAAAAAAAAAALQAAAHBhZ2VzLmNzdlBLAQIUABQAAAAIAAAAIQDMQku1BQAAAAMAAAANAAAAAAAAAAAAAAAAAGUAAAByZWZlcnJlcnMuY3N2UEsBAhQAFAAAAAgAAAAhAMxCS7UFAAAAAwAAAAwAAAAAAAAAAAAAAAAAlQAAAGJyb3dzZXJzLmNzdlBLAQIUABQAAAAIAAAAIQDMQku1BQAAAAMAAAAGAAAAAAAAAAAAAAAAAMQAAABvcy5jc3ZQSwECFAAUAAAACAAAACEAzEJLtQUAAAADAAAACwAAAAAAAAAAAAAAAADtAAAAZGV2aWNlcy5jc3ZQSwECFAAUAAAACAAAACEAzEJLtQUAAAADAAAADQAAAAAAAAAAAAAAAAAbAQAAY291bnRyaWVzLmNzdlBLBQYAAAAABwAHAIwBAABLAQAAAAA="
                     *     }
                     */
                    "application/json": {
                        zip: string;
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRealtime: {
        parameters: {
            query?: {
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last half hour, by minutes. With Accept: text/event-stream, it is sent again at each change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "countries": {},
                     *       "urls": {},
                     *       "referrers": {},
                     *       "events": [
                     *         {
                     *           "__type": "session",
                     *           "sessionId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "eventName": "text",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "browser": "chrome",
                     *           "os": "Mac OS",
                     *           "device": "desktop",
                     *           "country": "DE",
                     *           "urlPath": "text",
                     *           "referrerDomain": "text",
                     *           "hostname": "example.com"
                     *         }
                     *       ],
                     *       "series": {
                     *         "views": [
                     *           {
                     *             "x": "text",
                     *             "y": 1
                     *           }
                     *         ],
                     *         "visitors": [
                     *           {
                     *             "x": "text",
                     *             "y": 1
                     *           }
                     *         ]
                     *       },
                     *       "totals": {
                     *         "views": 1,
                     *         "visitors": 1,
                     *         "events": 1,
                     *         "countries": 1
                     *       },
                     *       "timestamp": 1
                     *     }
                     */
                    "application/json": {
                        countries: {
                            [key: string]: number;
                        };
                        urls: {
                            [key: string]: number;
                        };
                        referrers: {
                            [key: string]: number;
                        };
                        events: {
                            /** @enum {string} */
                            __type: "session" | "pageview" | "event";
                            sessionId: string;
                            eventName: string;
                            createdAt: string;
                            browser: string;
                            os: string;
                            device: string;
                            country: string;
                            urlPath: string;
                            referrerDomain: string;
                            hostname: string;
                        }[];
                        series: {
                            views: components["schemas"]["Point"][];
                            visitors: components["schemas"]["Point"][];
                        };
                        totals: {
                            views: number;
                            visitors: number;
                            events: number;
                            countries: number;
                        };
                        timestamp: number;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteGoalStats: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                /** @description Whether the value is a path or an event name. */
                type: "path" | "event";
                /** @description The path or the event name; a * at its start or its end stands for any text. */
                value: string;
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of sessions that reached a path or an event, and of all sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "num": 1,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["GoalResult"];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getGoalReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "goal",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999,
                 *         "type": "path",
                 *         "value": "/pric*"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "goal";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: components["schemas"]["GoalReportBodyParameters"];
                };
            };
        };
        responses: {
            /** @description The number of sessions that reached a path or an event, and of all sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "num": 1,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["GoalResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getGoalsReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "goals",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999,
                 *         "type": "path",
                 *         "value": "/pric*"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "goals" | "goal";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: components["schemas"]["GoalReportBodyParameters"];
                };
            };
        };
        responses: {
            /** @description The report goal under its former name, goals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "num": 1,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["GoalResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteBreakdown: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                /** @description The fields to break down by: a JSON array or a comma-separated list. */
                fields: string;
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                /** @description Part of a value of one of the fields, in any case. */
                search?: string;
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Views, visitors, visits, bounces and time for each combination of field values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "path": "/pricing",
                     *         "browser": "",
                     *         "views": 1,
                     *         "visitors": 1,
                     *         "visits": 1,
                     *         "bounces": 1,
                     *         "totaltime": 0
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebsiteBreakdownItem"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBreakdownReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "breakdown",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999,
                 *         "fields": "path,browser"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "breakdown";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: components["schemas"]["BreakdownReportBodyParameters"];
                };
            };
        };
        responses: {
            /** @description Views, visitors, visits, bounces and time for each combination of field values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "path": "/pricing",
                     *         "browser": "",
                     *         "views": 1,
                     *         "visitors": 1,
                     *         "visits": 1,
                     *         "bounces": 1,
                     *         "totaltime": 0
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebsiteBreakdownItem"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInsightsReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "insights",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999,
                 *         "fields": "path,browser"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "insights" | "breakdown";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: components["schemas"]["BreakdownReportBodyParameters"];
                };
            };
        };
        responses: {
            /** @description The report breakdown under its former name, insights. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "path": "/pricing",
                     *         "browser": "",
                     *         "views": 1,
                     *         "visitors": 1,
                     *         "visits": 1,
                     *         "bounces": 1,
                     *         "totaltime": 0
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebsiteBreakdownItem"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsitePerformanceStats: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Percentiles of each web vital, and the number of measurements. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lcp": {
                     *         "p50": 1200,
                     *         "p75": 1200,
                     *         "p95": 1200
                     *       },
                     *       "inp": {
                     *         "p50": 0,
                     *         "p75": 0,
                     *         "p95": 0
                     *       },
                     *       "cls": {
                     *         "p50": 0.05,
                     *         "p75": 0.05,
                     *         "p95": 0.05
                     *       },
                     *       "fcp": {
                     *         "p50": 0,
                     *         "p75": 0,
                     *         "p95": 0
                     *       },
                     *       "ttfb": {
                     *         "p50": 0,
                     *         "p75": 0,
                     *         "p95": 0
                     *       },
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["VitalsSummary"];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsitePerformanceChart: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                metric?: components["parameters"]["metric.2"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Percentiles of a web vital over time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chart": [
                     *         {
                     *           "t": "2025-10-15T16:00:00Z",
                     *           "p50": 1200,
                     *           "p75": 1200,
                     *           "p95": 1200
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        chart: components["schemas"]["VitalsPoint"][];
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsitePerformanceMetrics: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                metric?: components["parameters"]["metric.2"];
                /** @description The field to group by. */
                type: "path" | "title" | "device" | "browser";
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                search?: components["parameters"]["search.5"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Percentiles of a web vital by page, title, device or browser; slowest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "/pricing",
                     *         "p50": 1200,
                     *         "p75": 1200,
                     *         "p95": 1200,
                     *         "count": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebsitePerformanceMetricsItem"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPerformanceReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "performance",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "performance";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: {
                        /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
                        startAt?: number;
                        /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
                        endAt?: number;
                        /**
                         * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        startDate?: string;
                        /**
                         * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        endDate?: string;
                        /**
                         * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
                         * @example UTC
                         * @example America/Los_Angeles
                         */
                        timezone?: string;
                        /**
                         * @description The length of the steps of a series.
                         * @enum {string}
                         */
                        unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
                        /**
                         * @description Whether buckets without events are included, with 0.
                         * @enum {string}
                         */
                        fill?: "true" | "false";
                        /**
                         * @description The web vital; lcp by default.
                         * @enum {string}
                         */
                        metric?: "lcp" | "inp" | "cls" | "fcp" | "ttfb";
                        /**
                         * @description The most rows.
                         * @default 500
                         */
                        limit?: number;
                        /**
                         * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
                         * @example 2025-10-15T16:26:28Z
                         * @example 1760545588000
                         */
                        minAsOf?: string;
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        compare?: "prev" | "yoy";
                    };
                };
            };
        };
        responses: {
            /** @description Percentiles of web vitals: in all, over time, and by page, title, device and browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chart": [
                     *         {
                     *           "t": "2025-10-15T16:00:00Z",
                     *           "p50": 1200,
                     *           "p75": 1200,
                     *           "p95": 1200
                     *         }
                     *       ],
                     *       "summary": {
                     *         "lcp": {
                     *           "p50": 1200,
                     *           "p75": 1200,
                     *           "p95": 1200
                     *         },
                     *         "inp": {
                     *           "p50": 0,
                     *           "p75": 0,
                     *           "p95": 0
                     *         },
                     *         "cls": {
                     *           "p50": 0.05,
                     *           "p75": 0.05,
                     *           "p95": 0.05
                     *         },
                     *         "fcp": {
                     *           "p50": 0,
                     *           "p75": 0,
                     *           "p95": 0
                     *         },
                     *         "ttfb": {
                     *           "p50": 0,
                     *           "p75": 0,
                     *           "p95": 0
                     *         },
                     *         "count": 1
                     *       },
                     *       "pages": [
                     *         {
                     *           "name": "/pricing",
                     *           "p50": 1200,
                     *           "p75": 1200,
                     *           "p95": 1200,
                     *           "count": 1
                     *         }
                     *       ],
                     *       "pageTitles": [
                     *         {
                     *           "name": "Pricing",
                     *           "p50": 1200,
                     *           "p75": 1200,
                     *           "p95": 1200,
                     *           "count": 1
                     *         }
                     *       ],
                     *       "devices": [
                     *         {
                     *           "name": "",
                     *           "p50": 1200,
                     *           "p75": 1200,
                     *           "p95": 1200,
                     *           "count": 1
                     *         }
                     *       ],
                     *       "browsers": [
                     *         {
                     *           "name": "",
                     *           "p50": 1200,
                     *           "p75": 1200,
                     *           "p95": 1200,
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        chart: components["schemas"]["VitalsPoint"][];
                        summary: components["schemas"]["VitalsSummary"];
                        pages: components["schemas"]["WebsitePerformanceMetricsItem"][];
                        pageTitles: components["schemas"]["WebsitePerformanceMetricsItem"][];
                        devices: components["schemas"]["WebsitePerformanceMetricsItem"][];
                        browsers: components["schemas"]["WebsitePerformanceMetricsItem"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRevenueReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "revenue",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999,
                 *         "currency": "EUR"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "revenue";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: {
                        /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
                        startAt?: number;
                        /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
                        endAt?: number;
                        /**
                         * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        startDate?: string;
                        /**
                         * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        endDate?: string;
                        /**
                         * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
                         * @example UTC
                         * @example America/Los_Angeles
                         */
                        timezone?: string;
                        /**
                         * @description The length of the steps of a series.
                         * @enum {string}
                         */
                        unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
                        /**
                         * @description Whether buckets without events are included, with 0.
                         * @enum {string}
                         */
                        fill?: "true" | "false";
                        /**
                         * @description The period to compare with: the one just before (prev), or a year earlier (yoy).
                         * @enum {string}
                         */
                        compare?: "prev" | "yoy";
                        /**
                         * @description Only amounts in this currency, in any letter case.
                         * @example EUR
                         */
                        currency: string;
                        /**
                         * @description The most rows.
                         * @default 500
                         */
                        limit?: number;
                        /**
                         * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
                         * @example 2025-10-15T16:26:28Z
                         * @example 1760545588000
                         */
                        minAsOf?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Revenue in a currency: over time, its totals, and by country, region, referrer and channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chart": [
                     *         {
                     *           "x": "buy",
                     *           "t": "2025-10-15T16:00:00Z",
                     *           "y": 10.5,
                     *           "count": 1
                     *         }
                     *       ],
                     *       "total": {
                     *         "sum": 10.5,
                     *         "count": 1,
                     *         "unique_count": 1,
                     *         "total_sessions": 1,
                     *         "average": 10.5,
                     *         "arpu": 10.5,
                     *         "comparison": {
                     *           "sum": 0,
                     *           "count": 0,
                     *           "unique_count": 0,
                     *           "total_sessions": 0,
                     *           "average": 0,
                     *           "arpu": 0
                     *         }
                     *       },
                     *       "country": [
                     *         {
                     *           "name": "",
                     *           "value": 10.5
                     *         }
                     *       ],
                     *       "region": [
                     *         {
                     *           "name": "",
                     *           "value": 10.5,
                     *           "country": ""
                     *         }
                     *       ],
                     *       "referrer": [
                     *         {
                     *           "name": "",
                     *           "value": 10.5
                     *         }
                     *       ],
                     *       "channel": [
                     *         {
                     *           "name": "Unknown",
                     *           "value": 10.5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        chart: components["schemas"]["SalesPoint"][];
                        total: components["schemas"]["RevenueReportTotal"];
                        country: components["schemas"]["SalesMetric"][];
                        region: components["schemas"]["SalesMetric"][];
                        referrer: components["schemas"]["SalesMetric"][];
                        channel: components["schemas"]["SalesMetric"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteUtmMetrics: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                /** @description The UTM parameter. */
                type: "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content";
                search?: components["parameters"]["search.4"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values of a UTM parameter, and the number of views with each; most frequent first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "utm": "news",
                     *         "views": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UtmCount"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUTMReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "utm",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "utm";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: {
                        /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
                        startAt?: number;
                        /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
                        endAt?: number;
                        /**
                         * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        startDate?: string;
                        /**
                         * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        endDate?: string;
                        /**
                         * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
                         * @example UTC
                         * @example America/Los_Angeles
                         */
                        timezone?: string;
                        /**
                         * @description The most rows.
                         * @default 500
                         */
                        limit?: number;
                        /**
                         * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
                         * @example 2025-10-15T16:26:28Z
                         * @example 1760545588000
                         */
                        minAsOf?: string;
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        compare?: "prev" | "yoy";
                    };
                };
            };
        };
        responses: {
            /** @description The values of all five UTM parameters, and the number of views with each; most frequent first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "utm_source": [
                     *         {
                     *           "utm": "news",
                     *           "views": 1
                     *         }
                     *       ],
                     *       "utm_medium": [
                     *         {
                     *           "utm": "email",
                     *           "views": 1
                     *         }
                     *       ],
                     *       "utm_campaign": [
                     *         {
                     *           "utm": "spring",
                     *           "views": 1
                     *         }
                     *       ],
                     *       "utm_term": [],
                     *       "utm_content": []
                     *     }
                     */
                    "application/json": {
                        utm_source: components["schemas"]["UtmCount"][];
                        utm_medium: components["schemas"]["UtmCount"][];
                        utm_campaign: components["schemas"]["UtmCount"][];
                        utm_term: components["schemas"]["UtmCount"][];
                        utm_content: components["schemas"]["UtmCount"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteFunnelStats: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                /** @description The longest time between a step and the one before it, in minutes. Exactly this time still counts. */
                window: number;
                /** @description Two to eight steps. A value is a path or an event name; a * at its start or end stands for any text. An event step may have filters on its properties. */
                steps: string;
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many sessions reach each step of a funnel, each within a time of the step before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "path",
                     *         "value": "/pricing",
                     *         "visitors": 1,
                     *         "previous": 0,
                     *         "dropped": 0,
                     *         "dropoff": 0,
                     *         "remaining": 1
                     *       },
                     *       {
                     *         "type": "event",
                     *         "value": "buy",
                     *         "visitors": 1,
                     *         "previous": 1,
                     *         "dropped": 0,
                     *         "dropoff": 0,
                     *         "remaining": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["FunnelStep"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFunnelReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "funnel",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999,
                 *         "window": 60,
                 *         "steps": [
                 *           {
                 *             "type": "path",
                 *             "value": "/pricing"
                 *           },
                 *           {
                 *             "type": "event",
                 *             "value": "buy"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "funnel";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: {
                        /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
                        startAt?: number;
                        /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
                        endAt?: number;
                        /**
                         * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        startDate?: string;
                        /**
                         * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        endDate?: string;
                        /**
                         * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
                         * @example UTC
                         * @example America/Los_Angeles
                         */
                        timezone?: string;
                        /**
                         * @description The longest time between a step and the one before it, in minutes. Exactly this time still counts.
                         * @example 60
                         */
                        window: number;
                        /**
                         * @description Two to eight steps. A value is a path or an event name; a * at its start or end stands for any text. An event step may have filters on its properties.
                         * @example [{"type":"path","value":"/pricing"},{"type":"event","value":"buy"}]
                         */
                        steps: {
                            /** @enum {string} */
                            type: "path" | "event";
                            value: string;
                            filters?: {
                                property: string;
                                /** @enum {string} */
                                operator: "eq" | "neq" | "c" | "dnc";
                                value: string;
                            }[];
                        }[];
                        /**
                         * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
                         * @example 2025-10-15T16:26:28Z
                         * @example 1760545588000
                         */
                        minAsOf?: string;
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        compare?: "prev" | "yoy";
                    };
                };
            };
        };
        responses: {
            /** @description How many sessions reach each step of a funnel, each within a time of the step before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "path",
                     *         "value": "/pricing",
                     *         "visitors": 1,
                     *         "previous": 0,
                     *         "dropped": 0,
                     *         "dropoff": 0,
                     *         "remaining": 1
                     *       },
                     *       {
                     *         "type": "event",
                     *         "value": "buy",
                     *         "visitors": 1,
                     *         "previous": 1,
                     *         "dropped": 0,
                     *         "dropoff": 0,
                     *         "remaining": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["FunnelStep"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteJourneys: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                /** @description The number of steps after which a journey is cut. */
                steps: number;
                /** @description Only journeys whose first step is this path or event name. */
                startStep?: string;
                /** @description Only journeys whose last step, after the cut, is this path or event name. */
                endStep?: string;
                /** @description The most rows. */
                limit?: number;
                offset?: components["parameters"]["offset"];
                /** @description Part of one of the steps, in any case. */
                search?: string;
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first pages and events of visits, and how many visits began that way; most frequent first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "items": [
                     *           "/pricing"
                     *         ],
                     *         "count": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebsiteJourneysItem"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJourneyReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "journey",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999,
                 *         "steps": 3
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "journey";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: {
                        /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
                        startAt?: number;
                        /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
                        endAt?: number;
                        /**
                         * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        startDate?: string;
                        /**
                         * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        endDate?: string;
                        /**
                         * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
                         * @example UTC
                         * @example America/Los_Angeles
                         */
                        timezone?: string;
                        /** @description The number of steps after which a journey is cut. */
                        steps: number;
                        /** @description Only journeys whose first step is this path or event name. */
                        startStep?: string;
                        /** @description Only journeys whose last step, after the cut, is this path or event name. */
                        endStep?: string;
                        /**
                         * @description The most rows.
                         * @default 100
                         */
                        limit?: number;
                        /**
                         * @description all, or in place of eventType: views for 1, events for 2.
                         * @enum {string}
                         */
                        view?: "all" | "views" | "events";
                        /**
                         * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
                         * @example 2025-10-15T16:26:28Z
                         * @example 1760545588000
                         */
                        minAsOf?: string;
                        /**
                         * @description Filter by kind of event: 1 page view, 2 custom event, 3 link, 4 pixel, 5 performance; or a list of kinds.
                         * @example 2
                         * @example neq.1,5
                         */
                        eventType?: string;
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        compare?: "prev" | "yoy";
                    };
                };
            };
        };
        responses: {
            /** @description The same as GET journeys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "items": [
                     *           "/pricing"
                     *         ],
                     *         "count": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebsiteJourneysItem"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteRetention: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many visitors of each date came back on each of the next 31 days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2025-10-15T00:00:00Z",
                     *         "day": 0,
                     *         "visitors": 1,
                     *         "returnVisitors": 1,
                     *         "percentage": 100
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RetentionDay"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRetentionReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "retention",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "retention";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: {
                        /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
                        startAt?: number;
                        /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
                        endAt?: number;
                        /**
                         * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        startDate?: string;
                        /**
                         * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        endDate?: string;
                        /**
                         * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
                         * @example UTC
                         * @example America/Los_Angeles
                         */
                        timezone?: string;
                        /**
                         * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
                         * @example 2025-10-15T16:26:28Z
                         * @example 1760545588000
                         */
                        minAsOf?: string;
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        compare?: "prev" | "yoy";
                    };
                };
            };
        };
        responses: {
            /** @description How many visitors of each date came back on each of the next 31 days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2025-10-15T00:00:00Z",
                     *         "day": 0,
                     *         "visitors": 1,
                     *         "returnVisitors": 1,
                     *         "percentage": 100
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RetentionDay"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteAttribution: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                /** @description Which touch gets the credit: the first or the last one that is not direct. */
                model: "first-click" | "last-click";
                /** @description The kind of conversion: a view of a path, or a custom event. */
                type: "path" | "event";
                /** @description The path or the event name. A * at its start or end stands for any text. */
                step: string;
                /** @description Clients send it. It has no effect. */
                currency?: string;
                limit?: components["parameters"]["limit"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where converting sessions came from. One visit of each session gets the credit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "referrer": [],
                     *       "paidAds": [],
                     *       "utm_source": [
                     *         {
                     *           "name": "news",
                     *           "value": 1
                     *         }
                     *       ],
                     *       "utm_medium": [],
                     *       "utm_campaign": [],
                     *       "utm_content": [],
                     *       "utm_term": [],
                     *       "total": {
                     *         "pageviews": 1,
                     *         "visitors": 1,
                     *         "visits": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Attribution"];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAttributionReport: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "attribution",
                 *       "filters": {},
                 *       "parameters": {
                 *         "startAt": 1760486400000,
                 *         "endAt": 1760572799999,
                 *         "model": "first-click",
                 *         "type": "path",
                 *         "step": "/pricing"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    websiteId: string;
                    /** @enum {unknown} */
                    type: "attribution";
                    filters: components["schemas"]["ReportFilters"];
                    parameters: {
                        /** @description Start of the range, included: milliseconds since 1970. Required unless startDate is given. */
                        startAt?: number;
                        /** @description End of the range, included: milliseconds since 1970. Required unless endDate is given. */
                        endAt?: number;
                        /**
                         * @description Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        startDate?: string;
                        /**
                         * @description End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.
                         * @example 2025-10-15
                         * @example 2025-10-15T16:26:28Z
                         */
                        endDate?: string;
                        /**
                         * @description IANA time zone of local days, and of the year that yoy goes back; UTC by default.
                         * @example UTC
                         * @example America/Los_Angeles
                         */
                        timezone?: string;
                        /**
                         * @description Which touch gets the credit: the first or the last one that is not direct.
                         * @enum {string}
                         */
                        model: "first-click" | "last-click";
                        /**
                         * @description The kind of conversion: a view of a path, or a custom event.
                         * @enum {string}
                         */
                        type: "path" | "event";
                        /** @description The path or the event name. A * at its start or end stands for any text. */
                        step: string;
                        /** @description Clients send it. It has no effect. */
                        currency?: string;
                        /**
                         * @description The most rows.
                         * @default 500
                         */
                        limit?: number;
                        /**
                         * @description The answer must have every event whose insert ended before this moment, in milliseconds since 1970 or as ISO 8601. Else 503.
                         * @example 2025-10-15T16:26:28Z
                         * @example 1760545588000
                         */
                        minAsOf?: string;
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        unit?: "minute" | "hour" | "day" | "week" | "month" | "year";
                        /**
                         * @description Clients send it. It must be valid, and has no effect here.
                         * @enum {string}
                         */
                        compare?: "prev" | "yoy";
                    };
                };
            };
        };
        responses: {
            /** @description Where converting sessions came from. One visit of each session gets the credit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "referrer": [],
                     *       "paidAds": [],
                     *       "utm_source": [
                     *         {
                     *           "name": "news",
                     *           "value": 1
                     *         }
                     *       ],
                     *       "utm_medium": [],
                     *       "utm_campaign": [],
                     *       "utm_content": [],
                     *       "utm_term": [],
                     *       "total": {
                     *         "pageviews": 1,
                     *         "visitors": 1,
                     *         "visits": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Attribution"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteRevenueStats: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                compare?: components["parameters"]["compare.2"];
                currency: components["parameters"]["currency"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revenue in a currency: sum, sales, buyers and means, in the range and in the period to compare with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sum": 10.5,
                     *       "count": 1,
                     *       "unique_count": 1,
                     *       "total_sessions": 1,
                     *       "average": 10.5,
                     *       "arpu": 10.5,
                     *       "comparison": {
                     *         "sum": 0,
                     *         "count": 0,
                     *         "unique_count": 0,
                     *         "total_sessions": 0,
                     *         "average": 0,
                     *         "arpu": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RevenueReportTotal"];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteRevenueChart: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit.2"];
                fill?: components["parameters"]["fill"];
                currency: components["parameters"]["currency"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revenue in a currency and the number of sales over time, by event name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chart": [
                     *         {
                     *           "x": "buy",
                     *           "t": "2025-10-15T16:00:00Z",
                     *           "y": 10.5,
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        chart: components["schemas"]["SalesPoint"][];
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteRevenueMetrics: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                currency: components["parameters"]["currency"];
                /** @description The field to break down by. */
                type: "country" | "region" | "referrer" | "channel";
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                search?: components["parameters"]["search.5"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revenue in a currency by country, region, referrer or channel; highest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "",
                     *         "value": 10.5
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SalesMetric"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteRevenueSessions: {
        parameters: {
            query: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                currency: components["parameters"]["currency"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                cursor?: components["parameters"]["cursor"];
                search?: components["parameters"]["search.6"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions with a sale in a currency, last seen first, paged. Rows are like those of the list of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199e2b4-5c00-7000-8000-000000000001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "hostname": "example.com",
                     *           "browser": "",
                     *           "os": "",
                     *           "device": "",
                     *           "screen": "",
                     *           "language": "",
                     *           "country": "",
                     *           "region": "",
                     *           "city": "",
                     *           "distinctId": null,
                     *           "firstAt": "2025-10-15T16:26:28Z",
                     *           "lastAt": "2025-10-15T16:26:28Z",
                     *           "visits": 1,
                     *           "views": 0,
                     *           "events": 1,
                     *           "createdAt": "2025-10-15T16:26:28Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20
                     *     }
                     */
                    "application/json": components["schemas"]["WebsiteRevenueSessions"];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSessions: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                cursor?: components["parameters"]["cursor"];
                search?: components["parameters"]["search.6"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions with a view or a custom event, last seen first, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199e2b4-5c00-7000-8000-000000000001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "hostname": "example.com",
                     *           "browser": "",
                     *           "os": "",
                     *           "device": "",
                     *           "screen": "",
                     *           "language": "",
                     *           "country": "",
                     *           "region": "",
                     *           "city": "",
                     *           "distinctId": null,
                     *           "firstAt": "2025-10-15T16:26:27Z",
                     *           "lastAt": "2025-10-15T16:26:27Z",
                     *           "visits": 1,
                     *           "views": 1,
                     *           "events": 0,
                     *           "createdAt": "2025-10-15T16:26:27Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20
                     *     }
                     */
                    "application/json": components["schemas"]["WebsiteRevenueSessions"];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSessionStats: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of views, visitors, visits, countries and custom events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pageviews": {
                     *         "value": 1
                     *       },
                     *       "visitors": {
                     *         "value": 1
                     *       },
                     *       "visits": {
                     *         "value": 1
                     *       },
                     *       "countries": {
                     *         "value": 0
                     *       },
                     *       "events": {
                     *         "value": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        pageviews: components["schemas"]["Figure"];
                        visitors: components["schemas"]["Figure"];
                        visits: components["schemas"]["Figure"];
                        countries: components["schemas"]["Figure"];
                        events: components["schemas"]["Figure"];
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSessionsWeekly: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions with a view, by day of the week (Sunday first) and local hour. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       [
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0
                     *       ],
                     *       [
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0
                     *       ],
                     *       [
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0
                     *       ],
                     *       [
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         1,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0
                     *       ],
                     *       [
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0
                     *       ],
                     *       [
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0
                     *       ],
                     *       [
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0,
                     *         0
                     *       ]
                     *     ]
                     */
                    "application/json": number[][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSession: {
        parameters: {
            query?: {
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One session: its attributes at its last view or custom event, its figures, and its distinct ids. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199e2b4-5c00-7000-8000-000000000001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "distinctId": null,
                     *       "distinctIds": [],
                     *       "browser": "",
                     *       "os": "",
                     *       "device": "",
                     *       "screen": "",
                     *       "language": "",
                     *       "country": "",
                     *       "region": "",
                     *       "city": "",
                     *       "firstAt": "2025-10-15T16:26:27Z",
                     *       "lastAt": "2025-10-15T16:26:27Z",
                     *       "visits": 1,
                     *       "views": 1,
                     *       "events": 0,
                     *       "totaltime": 0,
                     *       "canDelete": true,
                     *       "stitchedSessionCount": 1
                     *     }
                     */
                    "application/json": {
                        id: string;
                        websiteId: string;
                        distinctId: string | null;
                        distinctIds: string[];
                        browser: string;
                        os: string;
                        device: string;
                        screen: string;
                        language: string;
                        country: string;
                        region: string;
                        city: string;
                        firstAt: string;
                        lastAt: string;
                        visits: number;
                        views: number;
                        events: number;
                        totaltime: number;
                        canDelete: boolean;
                        stitchedSessionCount: number;
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebsiteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hides a session from lists and look-ups. The next purge removes it from all counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSessionActivity: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                /** @description Adds the actions of sessions with this distinct id, at most the newest 1,000 sessions. */
                distinctId?: string;
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The views and custom events of a session, newest first. The list is empty if the session is unknown. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "createdAt": "2025-10-15T16:26:27Z",
                     *         "urlPath": "/pricing",
                     *         "urlQuery": "",
                     *         "referrerDomain": "",
                     *         "eventId": "0199e2b4-5c00-7000-8000-000000000003",
                     *         "eventType": 1,
                     *         "eventName": "",
                     *         "visitId": "0199e2b4-5c00-7000-8000-000000000002",
                     *         "hostname": "example.com",
                     *         "hasData": 0
                     *       }
                     *     ]
                     */
                    "application/json": {
                        createdAt: string;
                        urlPath: string;
                        urlQuery: string;
                        referrerDomain: string;
                        eventId: string;
                        eventType: number;
                        eventName: string;
                        visitId: string;
                        hostname: string;
                        hasData: number;
                    }[];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSessionProperties: {
        parameters: {
            query?: {
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current properties of a session, from its identify calls. The list is empty if the session is unknown. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "dataKey": "amount",
                     *         "dataType": 2,
                     *         "stringValue": "10",
                     *         "numberValue": 10,
                     *         "dateValue": null,
                     *         "createdAt": "2025-10-15T16:00:00Z"
                     *       },
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "dataKey": "at",
                     *         "dataType": 4,
                     *         "stringValue": "2025-10-14T22:00:00Z",
                     *         "numberValue": null,
                     *         "dateValue": "2025-10-14T22:00:00Z",
                     *         "createdAt": "2025-10-15T16:00:00Z"
                     *       },
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "dataKey": "plan",
                     *         "dataType": 1,
                     *         "stringValue": "pro",
                     *         "numberValue": null,
                     *         "dateValue": null,
                     *         "createdAt": "2025-10-15T16:00:00Z"
                     *       },
                     *       {
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "sessionId": "0199e2b4-5c00-7000-8000-000000000001",
                     *         "dataKey": "tags",
                     *         "dataType": 5,
                     *         "stringValue": "[\"a\",\"b\"]",
                     *         "numberValue": null,
                     *         "dateValue": null,
                     *         "createdAt": "2025-10-15T16:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        websiteId: string;
                        sessionId: string;
                        dataKey: string;
                        stringValue: string;
                        numberValue: number | null;
                        dateValue: string | null;
                        dataType: number;
                        createdAt: string;
                    }[];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReports: {
        parameters: {
            query: {
                /** @description The website, link or pixel. */
                websiteId: string;
                type?: components["parameters"]["type.2"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.7"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Saved reports of a website, newest first, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "type": "attribution",
                     *           "name": "Example",
                     *           "description": "What this is about.",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "website": {
                     *             "domain": "example.com",
                     *             "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Reports"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "goal",
                 *       "name": "Pricing",
                 *       "parameters": {
                 *         "type": "path",
                 *         "value": "/pricing"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateReportBody"];
            };
        };
        responses: {
            /** @description Saves the parameters of a report under a name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReport: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                reportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One saved report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                reportId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "type": "goal",
                 *       "name": "Pricing",
                 *       "parameters": {
                 *         "type": "path",
                 *         "value": "/pricing"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateReportBody"];
            };
        };
        responses: {
            /** @description Replaces the name, the description and the parameters of a saved report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                reportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a saved report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteReports: {
        parameters: {
            query?: {
                type?: components["parameters"]["type.2"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.7"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same as /api/reports of this website. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "type": "attribution",
                     *           "name": "Example",
                     *           "description": "What this is about.",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "website": {
                     *             "domain": "example.com",
                     *             "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Reports"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteFunnels: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.7"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Saved funnels of a website, newest first, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "type": "attribution",
                     *           "name": "Example",
                     *           "description": "What this is about.",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "website": {
                     *             "domain": "example.com",
                     *             "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Reports"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebsiteFunnel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sales",
                 *       "parameters": {
                 *         "window": 60,
                 *         "steps": [
                 *           {
                 *             "type": "path",
                 *             "value": "/pricing"
                 *           },
                 *           {
                 *             "type": "event",
                 *             "value": "buy"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebsiteFunnelBody"];
            };
        };
        responses: {
            /** @description Saves a funnel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteFunnel: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                funnelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One saved funnel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebsiteFunnel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                funnelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sales",
                 *       "parameters": {
                 *         "window": 60,
                 *         "steps": [
                 *           {
                 *             "type": "path",
                 *             "value": "/pricing"
                 *           },
                 *           {
                 *             "type": "event",
                 *             "value": "buy"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebsiteFunnelBody"];
            };
        };
        responses: {
            /** @description Replaces the name, the description and the parameters of a saved funnel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebsiteFunnel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                funnelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a saved funnel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSavedFunnelStats: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                funnelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many sessions reach each step of a saved funnel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "path",
                     *         "value": "/pricing",
                     *         "visitors": 1,
                     *         "previous": 0,
                     *         "dropped": 0,
                     *         "dropoff": 0,
                     *         "remaining": 1
                     *       },
                     *       {
                     *         "type": "event",
                     *         "value": "buy",
                     *         "visitors": 1,
                     *         "previous": 1,
                     *         "dropped": 0,
                     *         "dropoff": 0,
                     *         "remaining": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["FunnelStep"][];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteGoals: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.7"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Saved goals of a website, newest first, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "type": "attribution",
                     *           "name": "Example",
                     *           "description": "What this is about.",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "website": {
                     *             "domain": "example.com",
                     *             "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Reports"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebsiteGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Pricing",
                 *       "parameters": {
                 *         "type": "path",
                 *         "value": "/pricing"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebsiteFunnelBody"];
            };
        };
        responses: {
            /** @description Saves a goal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteGoal: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One saved goal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebsiteGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Pricing",
                 *       "parameters": {
                 *         "type": "path",
                 *         "value": "/pricing"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebsiteFunnelBody"];
            };
        };
        responses: {
            /** @description Replaces the name, the description and the parameters of a saved goal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "attribution",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebsiteGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a saved goal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSavedGoalStats: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                path?: components["parameters"]["path"];
                referrer?: components["parameters"]["referrer"];
                title?: components["parameters"]["title"];
                query?: components["parameters"]["query"];
                browser?: components["parameters"]["browser"];
                os?: components["parameters"]["os"];
                device?: components["parameters"]["device"];
                country?: components["parameters"]["country"];
                region?: components["parameters"]["region"];
                city?: components["parameters"]["city"];
                language?: components["parameters"]["language"];
                hostname?: components["parameters"]["hostname"];
                tag?: components["parameters"]["tag"];
                event?: components["parameters"]["event"];
                distinctId?: components["parameters"]["distinctId"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaign"];
                utmContent?: components["parameters"]["utmContent"];
                utmTerm?: components["parameters"]["utmTerm"];
                eventType?: components["parameters"]["eventType"];
                excludeBounce?: components["parameters"]["excludeBounce"];
                match?: components["parameters"]["match"];
                segment?: components["parameters"]["segment"];
                cohort?: components["parameters"]["cohort"];
                epf0?: components["parameters"]["epf0"];
                spf0?: components["parameters"]["spf0"];
                filters?: components["parameters"]["filters"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of sessions that reached a saved goal, and of all sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "num": 1,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["GoalResult"];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebsites: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.8"];
                orderBy?: components["parameters"]["orderBy.2"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                includeTeams?: components["parameters"]["includeTeams"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller’s websites, or those that the key opens, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "domain": "example.com",
                     *           "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "resetAt": "2025-10-15T16:26:28.000Z",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "recorderEnabled": true,
                     *           "replayConfig": {
                     *             "replayEnabled": true,
                     *             "heatmapEnabled": true,
                     *             "sampleRate": 1,
                     *             "heatmapSampleRate": 1,
                     *             "maskLevel": "strict",
                     *             "maxDuration": 60000,
                     *             "blockSelector": ".private"
                     *           },
                     *           "public": {},
                     *           "user": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           },
                     *           "createUser": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebsites"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebsite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "domain": "example.com"
                 *     }
                 */
                "application/json": {
                    name: string;
                    domain: string;
                    id?: string | null;
                    shareId?: string | null;
                    teamId?: string | null;
                };
            };
        };
        responses: {
            /** @description Creates a website for the caller or a team. A shareId also makes a share. Only admins may choose the id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "domain": "example.com",
                     *       "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "resetAt": "2025-10-15T16:26:28.000Z",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null,
                     *       "recorderEnabled": true,
                     *       "replayConfig": {
                     *         "replayEnabled": true,
                     *         "heatmapEnabled": true,
                     *         "sampleRate": 1,
                     *         "heatmapSampleRate": 1,
                     *         "maskLevel": "strict",
                     *         "maxDuration": 60000,
                     *         "blockSelector": ".private"
                     *       },
                     *       "public": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Website"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeamWebsites: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.8"];
                orderBy?: components["parameters"]["orderBy.2"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Websites of a team, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "domain": "example.com",
                     *           "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "resetAt": "2025-10-15T16:26:28.000Z",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "recorderEnabled": true,
                     *           "replayConfig": {
                     *             "replayEnabled": true,
                     *             "heatmapEnabled": true,
                     *             "sampleRate": 1,
                     *             "heatmapSampleRate": 1,
                     *             "maskLevel": "strict",
                     *             "maxDuration": 60000,
                     *             "blockSelector": ".private"
                     *           },
                     *           "public": {},
                     *           "user": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           },
                     *           "createUser": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebsites"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMyWebsites: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.8"];
                orderBy?: components["parameters"]["orderBy.2"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                includeTeams?: components["parameters"]["includeTeams"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same as /api/websites. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "domain": "example.com",
                     *           "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "resetAt": "2025-10-15T16:26:28.000Z",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "recorderEnabled": true,
                     *           "replayConfig": {
                     *             "replayEnabled": true,
                     *             "heatmapEnabled": true,
                     *             "sampleRate": 1,
                     *             "heatmapSampleRate": 1,
                     *             "maskLevel": "strict",
                     *             "maxDuration": 60000,
                     *             "blockSelector": ".private"
                     *           },
                     *           "public": {},
                     *           "user": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           },
                     *           "createUser": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebsites"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserWebsites: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.8"];
                orderBy?: components["parameters"]["orderBy.2"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                includeTeams?: components["parameters"]["includeTeams"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Websites of a user, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "domain": "example.com",
                     *           "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "resetAt": "2025-10-15T16:26:28.000Z",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "recorderEnabled": true,
                     *           "replayConfig": {
                     *             "replayEnabled": true,
                     *             "heatmapEnabled": true,
                     *             "sampleRate": 1,
                     *             "heatmapSampleRate": 1,
                     *             "maskLevel": "strict",
                     *             "maxDuration": 60000,
                     *             "blockSelector": ".private"
                     *           },
                     *           "public": {},
                     *           "user": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           },
                     *           "createUser": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebsites"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAdminWebsites: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.8"];
                orderBy?: components["parameters"]["orderBy.2"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All websites, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "domain": "example.com",
                     *           "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "resetAt": "2025-10-15T16:26:28.000Z",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "recorderEnabled": true,
                     *           "replayConfig": {
                     *             "replayEnabled": true,
                     *             "heatmapEnabled": true,
                     *             "sampleRate": 1,
                     *             "heatmapSampleRate": 1,
                     *             "maskLevel": "strict",
                     *             "maxDuration": 60000,
                     *             "blockSelector": ".private"
                     *           },
                     *           "public": {},
                     *           "user": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           },
                     *           "createUser": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebsites"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsitesCharts: {
        parameters: {
            query: {
                ids: components["parameters"]["ids"];
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Visitors by half days, for several websites at once; by default over the last seven days and today. Leaves out websites that the caller may not see. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {}
                     *     }
                     */
                    "application/json": components["schemas"]["WebsitesCharts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsite: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One website. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "domain": "example.com",
                     *       "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "resetAt": "2025-10-15T16:26:28.000Z",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null,
                     *       "recorderEnabled": true,
                     *       "replayConfig": {
                     *         "replayEnabled": true,
                     *         "heatmapEnabled": true,
                     *         "sampleRate": 1,
                     *         "heatmapSampleRate": 1,
                     *         "maskLevel": "strict",
                     *         "maxDuration": 60000,
                     *         "blockSelector": ".private"
                     *       },
                     *       "public": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Website"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebsite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "public": {
                 *         "overview": true,
                 *         "allowFilter": false
                 *       }
                 *     }
                 */
                "application/json": {
                    name?: string;
                    domain?: string;
                    shareId?: string | null;
                    replayConfig?: components["schemas"]["ReplayConfig"] | null;
                    replayEnabled?: boolean;
                    public?: components["schemas"]["ShareParameters"] | null;
                };
            };
        };
        responses: {
            /** @description Changes the given fields of a website. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "domain": "example.com",
                     *       "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "resetAt": "2025-10-15T16:26:28.000Z",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null,
                     *       "recorderEnabled": true,
                     *       "replayConfig": {
                     *         "replayEnabled": true,
                     *         "heatmapEnabled": true,
                     *         "sampleRate": 1,
                     *         "heatmapSampleRate": 1,
                     *         "maskLevel": "strict",
                     *         "maxDuration": 60000,
                     *         "blockSelector": ".private"
                     *       },
                     *       "public": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Website"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebsite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a website. It stops answering. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetWebsite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Resets a website: hides all events before this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    transferWebsite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    userId?: string;
                    /** Format: uuid */
                    teamId?: string;
                };
            };
        };
        responses: {
            /** @description Transfers a website to the caller or a team. Admins may name any user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "domain": "example.com",
                     *       "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "resetAt": "2025-10-15T16:26:28.000Z",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null,
                     *       "recorderEnabled": true,
                     *       "replayConfig": {
                     *         "replayEnabled": true,
                     *         "heatmapEnabled": true,
                     *         "sampleRate": 1,
                     *         "heatmapSampleRate": 1,
                     *         "maskLevel": "strict",
                     *         "maxDuration": 60000,
                     *         "blockSelector": ".private"
                     *       },
                     *       "public": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Website"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteDateRange: {
        parameters: {
            query?: {
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The times of the website’s first and last event; null without events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "startDate": "2025-10-15T16:26:27.000Z",
                     *       "endDate": "2025-10-15T16:26:27.000Z"
                     *     }
                     */
                    "application/json": {
                        startDate: string | null;
                        endDate: string | null;
                    };
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteChart: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                minAsOf?: components["parameters"]["minAsOf"];
                deadline?: components["parameters"]["deadline"];
                dryRun?: components["parameters"]["dryRun"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Visitors by half days of local time, and in the whole range: a small chart for lists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "values": [
                     *         0,
                     *         1
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Chart"];
                };
            };
            /** @description The answer is the one that If-None-Match names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteRecorderConfig: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings of the recorder on the website’s pages. Everyone may read them; caches keep them for a minute. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "replayEnabled": true,
                     *       "heatmapEnabled": true,
                     *       "sampleRate": 1,
                     *       "heatmapSampleRate": 1,
                     *       "maskLevel": "strict",
                     *       "maxDuration": 1,
                     *       "blockSelector": ".private"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        enabled: true;
                        replayEnabled: boolean;
                        heatmapEnabled: boolean;
                        sampleRate: number;
                        heatmapSampleRate: number;
                        /** @enum {string} */
                        maskLevel: "strict" | "moderate";
                        maxDuration: number;
                        blockSelector: string;
                    } | {
                        /** @constant */
                        enabled: false;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLinksCharts: {
        parameters: {
            query: {
                ids: components["parameters"]["ids"];
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Visitors by half days, for several links at once; by default over the last seven days and today. Leaves out links that the caller may not see. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {}
                     *     }
                     */
                    "application/json": components["schemas"]["WebsitesCharts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPixelsCharts: {
        parameters: {
            query: {
                ids: components["parameters"]["ids"];
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Visitors by half days, for several pixels at once; by default over the last seven days and today. Leaves out pixels that the caller may not see. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {}
                     *     }
                     */
                    "application/json": components["schemas"]["WebsitesCharts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLinks: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.9"];
                orderBy?: components["parameters"]["orderBy.3"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller’s own links, without those of teams, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "slug": "aB3dE5gH7jK9mN1p",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "url": "https://example.com/sale"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Links"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "slug": "aB3dE5gH7jK9mN1p",
                 *       "url": "https://example.com/sale"
                 *     }
                 */
                "application/json": {
                    name: string;
                    slug: string;
                    teamId?: string | null;
                    id?: string | null;
                    url: string;
                };
            };
        };
        responses: {
            /** @description Creates a link for the caller or a team. Only admins may choose its id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null,
                     *       "url": "https://example.com/sale"
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLink: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null,
                     *       "url": "https://example.com/sale"
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "slug": "aB3dE5gH7jK9mN1p",
                 *       "url": "https://example.com/sale"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    slug?: string;
                    teamId?: string | null;
                    id?: string | null;
                    url?: string;
                };
            };
        };
        responses: {
            /** @description Changes the given fields of a link. Another teamId changes its owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null,
                     *       "url": "https://example.com/sale"
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a link. Its slug stays taken. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeamLinks: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.9"];
                orderBy?: components["parameters"]["orderBy.3"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links of a team, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "slug": "aB3dE5gH7jK9mN1p",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "url": "https://example.com/sale"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Links"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPixels: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.9"];
                orderBy?: components["parameters"]["orderBy.3"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller’s own pixels, without those of teams, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "slug": "aB3dE5gH7jK9mN1p",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Pixels"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPixel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "slug": "aB3dE5gH7jK9mN1p"
                 *     }
                 */
                "application/json": {
                    name: string;
                    slug: string;
                    teamId?: string | null;
                    id?: string | null;
                };
            };
        };
        responses: {
            /** @description Creates a pixel for the caller or a team. Only admins may choose its id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Pixel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPixel: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                pixelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One pixel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Pixel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePixel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                pixelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "slug": "aB3dE5gH7jK9mN1p"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    slug?: string;
                    teamId?: string | null;
                    id?: string | null;
                };
            };
        };
        responses: {
            /** @description Changes the given fields of a pixel. Another teamId changes its owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Pixel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePixel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                pixelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a pixel. Its slug stays taken. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeamPixels: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.9"];
                orderBy?: components["parameters"]["orderBy.3"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pixels of a team, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "slug": "aB3dE5gH7jK9mN1p",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Pixels"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBoards: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.7"];
                orderBy?: components["parameters"]["orderBy.4"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller’s own boards, without those of teams, paged. The operator’s key gets all boards. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "type": "mixed",
                     *           "name": "Example",
                     *           "description": "What this is about.",
                     *           "parameters": {},
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Boards"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createBoard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "type": "mixed"
                 *     }
                 */
                "application/json": {
                    name: string;
                    description?: string;
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    type: "mixed" | "website" | "pixel" | "link" | "dashboard" | "open";
                    teamId?: string | null;
                    userId?: string | null;
                };
            };
        };
        responses: {
            /** @description Creates a board of the caller, or of a team. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "mixed",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Board"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBoard: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                boardId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One board. The holder of a share of it may read it, too. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "mixed",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Board"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateBoard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                boardId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "description": "What this is about.",
                 *       "parameters": {}
                 *     }
                 */
                "application/json": {
                    name?: string;
                    description?: string;
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    type?: "mixed" | "website" | "pixel" | "link" | "dashboard" | "open";
                };
            };
        };
        responses: {
            /** @description Changes the given fields of a board. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "mixed",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Board"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteBoard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                boardId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a board and its shares. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cloneBoard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                boardId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "description": "What this is about.",
                 *       "parameters": {}
                 *     }
                 */
                "application/json": components["schemas"]["CloneBoardBody"];
            };
        };
        responses: {
            /** @description Copies a board into the same team, or for the caller. The given fields replace those of the copy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "mixed",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Board"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeamBoards: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.7"];
                orderBy?: components["parameters"]["orderBy.4"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The boards of a team, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "type": "mixed",
                     *           "name": "Example",
                     *           "description": "What this is about.",
                     *           "parameters": {},
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Boards"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDashboard: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller’s board of the type dashboard; null before the first POST. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "mixed",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Board"] | null;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "description": "What this is about.",
                 *       "parameters": {}
                 *     }
                 */
                "application/json": components["schemas"]["CloneBoardBody"];
            };
        };
        responses: {
            /** @description Changes the given fields of the caller’s dashboard, or creates it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "mixed",
                     *       "name": "Example",
                     *       "description": "What this is about.",
                     *       "parameters": {},
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Board"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteAnnotations: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt"];
                endAt?: components["parameters"]["endAt"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                /** @description Part of the note, in any case. */
                search?: string;
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Annotations of a website, latest date first, paged. A range restricts them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "date": "2025-10-15T16:26:28.000Z",
                     *           "allDay": true,
                     *           "note": "A new version is out.",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Annotation"][];
                        count: number;
                        page: number;
                        pageSize: number;
                        /** @constant */
                        isCapped?: true;
                        orderBy?: string;
                        sortDescending?: boolean;
                        search?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebsiteAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "date": "2025-10-15",
                 *       "note": "A new version is out."
                 *     }
                 */
                "application/json": components["schemas"]["NewAnnotation"];
            };
        };
        responses: {
            /** @description Creates an annotation: a note on a date. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "date": "2025-10-15T16:26:28.000Z",
                     *       "allDay": true,
                     *       "note": "A new version is out.",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Annotation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteAnnotation: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                annotationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One annotation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "date": "2025-10-15T16:26:28.000Z",
                     *       "allDay": true,
                     *       "note": "A new version is out.",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Annotation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebsiteAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                annotationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "date": "2025-10-15",
                 *       "note": "A new version is out."
                 *     }
                 */
                "application/json": components["schemas"]["NewAnnotation"];
            };
        };
        responses: {
            /** @description Replaces the date, the note and allDay of an annotation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "date": "2025-10-15T16:26:28.000Z",
                     *       "allDay": true,
                     *       "note": "A new version is out.",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Annotation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebsiteAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                annotationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes an annotation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSegments: {
        parameters: {
            query: {
                /** @description Segments or cohorts. */
                type: "segment" | "cohort";
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                /** @description The field to order by; name by default. */
                orderBy?: "name";
                sortDescending?: components["parameters"]["sortDescending.2"];
                /** @description Clients send it. It must be valid, and has no effect here. */
                client?: string;
                /** @description Clients send it. It must be valid, and has no effect here. */
                queryKey?: string;
                /** @description Clients send it. It must be valid, and has no effect here. */
                signal?: string;
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
                path?: components["parameters"]["path.2"];
                referrer?: components["parameters"]["referrer.2"];
                title?: components["parameters"]["title.2"];
                browser?: components["parameters"]["browser.2"];
                os?: components["parameters"]["os.2"];
                device?: components["parameters"]["device.2"];
                country?: components["parameters"]["country.2"];
                region?: components["parameters"]["region.2"];
                city?: components["parameters"]["city.2"];
                language?: components["parameters"]["language.2"];
                hostname?: components["parameters"]["hostname.2"];
                tag?: components["parameters"]["tag.2"];
                event?: components["parameters"]["event.2"];
                distinctId?: components["parameters"]["distinctId.2"];
                utmSource?: components["parameters"]["utmSource.2"];
                utmMedium?: components["parameters"]["utmMedium.2"];
                utmCampaign?: components["parameters"]["utmCampaign.2"];
                utmContent?: components["parameters"]["utmContent.2"];
                utmTerm?: components["parameters"]["utmTerm.2"];
                eventType?: components["parameters"]["eventType.2"];
                excludeBounce?: components["parameters"]["excludeBounce.2"];
                match?: components["parameters"]["match.2"];
                segment?: components["parameters"]["segment.2"];
                cohort?: components["parameters"]["cohort.2"];
                epf0?: components["parameters"]["epf0.2"];
                spf0?: components["parameters"]["spf0.2"];
                filters?: components["parameters"]["filters.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Segments or cohorts of a website, paged, ordered by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "type": "segment",
                     *           "name": "Example",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Segment"][];
                        count: number;
                        page: number;
                        pageSize: number;
                        /** @constant */
                        isCapped?: true;
                        orderBy?: string;
                        sortDescending?: boolean;
                        search?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebsiteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "segment",
                 *       "name": "Germany",
                 *       "parameters": {
                 *         "filters": [
                 *           {
                 *             "name": "country",
                 *             "operator": "eq",
                 *             "value": "DE"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "segment";
                    name: string;
                    parameters: components["schemas"]["SegmentParameters"];
                } | {
                    /** @constant */
                    type: "cohort";
                    name: string;
                    parameters: components["schemas"]["CohortParameters"];
                };
            };
        };
        responses: {
            /** @description Saves filters as a segment; or filters, an action and a date range as a cohort. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "segment",
                     *       "name": "Example",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteSegment: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One segment or cohort. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "segment",
                     *       "name": "Example",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebsiteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "segment",
                 *       "name": "Germany",
                 *       "parameters": {
                 *         "filters": [
                 *           {
                 *             "name": "country",
                 *             "operator": "eq",
                 *             "value": "DE"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "segment";
                    name: string;
                    parameters: components["schemas"]["SegmentParameters"];
                    /** Format: uuid */
                    id?: string;
                    createdAt?: unknown;
                    updatedAt?: unknown;
                } | {
                    /** @constant */
                    type: "cohort";
                    name: string;
                    parameters: components["schemas"]["CohortParameters"];
                    /** Format: uuid */
                    id?: string;
                    createdAt?: unknown;
                    updatedAt?: unknown;
                };
            };
        };
        responses: {
            /** @description Replaces the type, the name and the parameters of a segment or cohort. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "type": "segment",
                     *       "name": "Example",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebsiteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a segment or cohort. Requests that name it are then refused. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebsiteShares: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                orderBy?: components["parameters"]["orderBy.5"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
                path?: components["parameters"]["path.2"];
                referrer?: components["parameters"]["referrer.2"];
                title?: components["parameters"]["title.2"];
                browser?: components["parameters"]["browser.2"];
                os?: components["parameters"]["os.2"];
                device?: components["parameters"]["device.2"];
                country?: components["parameters"]["country.2"];
                region?: components["parameters"]["region.2"];
                city?: components["parameters"]["city.2"];
                language?: components["parameters"]["language.2"];
                hostname?: components["parameters"]["hostname.2"];
                tag?: components["parameters"]["tag.2"];
                event?: components["parameters"]["event.2"];
                distinctId?: components["parameters"]["distinctId.2"];
                utmSource?: components["parameters"]["utmSource.2"];
                utmMedium?: components["parameters"]["utmMedium.2"];
                utmCampaign?: components["parameters"]["utmCampaign.2"];
                utmContent?: components["parameters"]["utmContent.2"];
                utmTerm?: components["parameters"]["utmTerm.2"];
                eventType?: components["parameters"]["eventType.2"];
                excludeBounce?: components["parameters"]["excludeBounce.2"];
                match?: components["parameters"]["match.2"];
                segment?: components["parameters"]["segment.2"];
                cohort?: components["parameters"]["cohort.2"];
                epf0?: components["parameters"]["epf0.2"];
                spf0?: components["parameters"]["spf0.2"];
                filters?: components["parameters"]["filters.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shares of a website, expired ones included, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "shareType": 1,
                     *           "slug": "aB3dE5gH7jK9mN1p",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["WebsiteShares"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebsiteShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                websiteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "parameters": {
                 *         "overview": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewShare"];
            };
        };
        responses: {
            /** @description Shares a website. Without parameters the share opens nothing yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "shareType": 1,
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLinkShares: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                orderBy?: components["parameters"]["orderBy.5"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
                path?: components["parameters"]["path.2"];
                referrer?: components["parameters"]["referrer.2"];
                title?: components["parameters"]["title.2"];
                browser?: components["parameters"]["browser.2"];
                os?: components["parameters"]["os.2"];
                device?: components["parameters"]["device.2"];
                country?: components["parameters"]["country.2"];
                region?: components["parameters"]["region.2"];
                city?: components["parameters"]["city.2"];
                language?: components["parameters"]["language.2"];
                hostname?: components["parameters"]["hostname.2"];
                tag?: components["parameters"]["tag.2"];
                event?: components["parameters"]["event.2"];
                distinctId?: components["parameters"]["distinctId.2"];
                utmSource?: components["parameters"]["utmSource.2"];
                utmMedium?: components["parameters"]["utmMedium.2"];
                utmCampaign?: components["parameters"]["utmCampaign.2"];
                utmContent?: components["parameters"]["utmContent.2"];
                utmTerm?: components["parameters"]["utmTerm.2"];
                eventType?: components["parameters"]["eventType.2"];
                excludeBounce?: components["parameters"]["excludeBounce.2"];
                match?: components["parameters"]["match.2"];
                segment?: components["parameters"]["segment.2"];
                cohort?: components["parameters"]["cohort.2"];
                epf0?: components["parameters"]["epf0.2"];
                spf0?: components["parameters"]["spf0.2"];
                filters?: components["parameters"]["filters.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shares of a link, expired ones included, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "shareType": 1,
                     *           "slug": "aB3dE5gH7jK9mN1p",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["WebsiteShares"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createLinkShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "parameters": {
                 *         "overview": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewShare"];
            };
        };
        responses: {
            /** @description Shares a link. Without parameters the share opens nothing yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "shareType": 1,
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPixelShares: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                orderBy?: components["parameters"]["orderBy.5"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
                path?: components["parameters"]["path.2"];
                referrer?: components["parameters"]["referrer.2"];
                title?: components["parameters"]["title.2"];
                browser?: components["parameters"]["browser.2"];
                os?: components["parameters"]["os.2"];
                device?: components["parameters"]["device.2"];
                country?: components["parameters"]["country.2"];
                region?: components["parameters"]["region.2"];
                city?: components["parameters"]["city.2"];
                language?: components["parameters"]["language.2"];
                hostname?: components["parameters"]["hostname.2"];
                tag?: components["parameters"]["tag.2"];
                event?: components["parameters"]["event.2"];
                distinctId?: components["parameters"]["distinctId.2"];
                utmSource?: components["parameters"]["utmSource.2"];
                utmMedium?: components["parameters"]["utmMedium.2"];
                utmCampaign?: components["parameters"]["utmCampaign.2"];
                utmContent?: components["parameters"]["utmContent.2"];
                utmTerm?: components["parameters"]["utmTerm.2"];
                eventType?: components["parameters"]["eventType.2"];
                excludeBounce?: components["parameters"]["excludeBounce.2"];
                match?: components["parameters"]["match.2"];
                segment?: components["parameters"]["segment.2"];
                cohort?: components["parameters"]["cohort.2"];
                epf0?: components["parameters"]["epf0.2"];
                spf0?: components["parameters"]["spf0.2"];
                filters?: components["parameters"]["filters.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                pixelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shares of a pixel, expired ones included, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "shareType": 1,
                     *           "slug": "aB3dE5gH7jK9mN1p",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["WebsiteShares"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPixelShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                pixelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "parameters": {
                 *         "overview": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewShare"];
            };
        };
        responses: {
            /** @description Shares a pixel. Without parameters the share opens nothing yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "shareType": 1,
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBoardShares: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                orderBy?: components["parameters"]["orderBy.5"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
                path?: components["parameters"]["path.2"];
                referrer?: components["parameters"]["referrer.2"];
                title?: components["parameters"]["title.2"];
                browser?: components["parameters"]["browser.2"];
                os?: components["parameters"]["os.2"];
                device?: components["parameters"]["device.2"];
                country?: components["parameters"]["country.2"];
                region?: components["parameters"]["region.2"];
                city?: components["parameters"]["city.2"];
                language?: components["parameters"]["language.2"];
                hostname?: components["parameters"]["hostname.2"];
                tag?: components["parameters"]["tag.2"];
                event?: components["parameters"]["event.2"];
                distinctId?: components["parameters"]["distinctId.2"];
                utmSource?: components["parameters"]["utmSource.2"];
                utmMedium?: components["parameters"]["utmMedium.2"];
                utmCampaign?: components["parameters"]["utmCampaign.2"];
                utmContent?: components["parameters"]["utmContent.2"];
                utmTerm?: components["parameters"]["utmTerm.2"];
                eventType?: components["parameters"]["eventType.2"];
                excludeBounce?: components["parameters"]["excludeBounce.2"];
                match?: components["parameters"]["match.2"];
                segment?: components["parameters"]["segment.2"];
                cohort?: components["parameters"]["cohort.2"];
                epf0?: components["parameters"]["epf0.2"];
                spf0?: components["parameters"]["spf0.2"];
                filters?: components["parameters"]["filters.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                boardId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shares of a board, expired ones included, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "shareType": 1,
                     *           "slug": "aB3dE5gH7jK9mN1p",
                     *           "parameters": {},
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["WebsiteShares"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createBoardShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                boardId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "parameters": {
                 *         "overview": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewShare"];
            };
        };
        responses: {
            /** @description Shares a board. The parameters open sections of every website, link and pixel that the board names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "shareType": 1,
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createShare: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "shareType": 1,
                 *       "name": "Example",
                 *       "parameters": {
                 *         "overview": true
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    entityId: string;
                    shareType: number;
                    name: string;
                    slug?: string;
                    parameters: components["schemas"]["ShareParameters"];
                };
            };
        };
        responses: {
            /** @description Shares a website, link, pixel or board. Anyone with the slug sees what the parameters open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "shareType": 1,
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getShare: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One share, for callers who may change its website. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "shareType": 1,
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                shareId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "slug": "aB3dE5gH7jK9mN1p",
                 *       "parameters": {
                 *         "overview": true
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    slug: string;
                    parameters: components["schemas"]["ShareParameters"];
                };
            };
        };
        responses: {
            /** @description Replaces the name and the parameters of a share. Another slug ends its tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "entityId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "shareType": 1,
                     *       "slug": "aB3dE5gH7jK9mN1p",
                     *       "parameters": {},
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a share. Its slug and its tokens stop working. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getShareBySlug: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description The slug of a share. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a share opens, and a token for it. The slug is the only credential needed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "shareType": 1,
                     *       "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "linkId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "pixelId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "boardId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "websiteIds": [
                     *         "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *       ],
                     *       "linkIds": [
                     *         "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *       ],
                     *       "pixelIds": [
                     *         "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *       ],
                     *       "parameters": {},
                     *       "sections": [
                     *         "overview"
                     *       ],
                     *       "expiresAt": "2025-10-15T16:26:28.000Z",
                     *       "token": "eyJhbGciOiJIUzI1NiJ9.e30.signature"
                     *     }
                     */
                    "application/json": {
                        shareId: string;
                        shareType: 1 | 2 | 3 | 4;
                        /** @description For a link or a pixel: its own id. Use it in place of a website’s. */
                        websiteId?: string;
                        linkId?: string;
                        pixelId?: string;
                        boardId?: string;
                        /** @description For a board: the websites, links and pixels that it names. */
                        websiteIds?: string[];
                        linkIds?: string[];
                        pixelIds?: string[];
                        parameters: {
                            [key: string]: boolean | string;
                        };
                        /** @description The sections that are open. */
                        sections: ("overview" | "events" | "sessions" | "realtime" | "performance" | "compare" | "breakdown" | "goals" | "funnels" | "journeys" | "retention" | "utm" | "revenue" | "attribution")[];
                        expiresAt: string | null;
                        token: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeams: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                orderBy?: components["parameters"]["orderBy.6"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller’s teams, paged. The operator’s key gets all teams. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "accessCode": "team_aB3dE5gH7jK9mN1p",
                     *           "logoUrl": null,
                     *           "twoFactorRequired": false,
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "members": [
                     *             {
                     *               "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "role": "text",
                     *               "createdAt": "2025-10-15T16:26:28.000Z",
                     *               "updatedAt": "2025-10-15T16:26:28.000Z",
                     *               "user": {
                     *                 "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *                 "username": "ada"
                     *               }
                     *             }
                     *           ],
                     *           "_count": {
                     *             "websites": 1,
                     *             "members": 1
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Teams"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** Format: uuid */
                    ownerId?: string;
                };
            };
        };
        responses: {
            /** @description Creates a team for the caller. Admins may name another owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "name": "Example",
                     *         "accessCode": "team_aB3dE5gH7jK9mN1p",
                     *         "logoUrl": null,
                     *         "twoFactorRequired": false,
                     *         "createdAt": "2025-10-15T16:26:28.000Z",
                     *         "updatedAt": "2025-10-15T16:26:28.000Z",
                     *         "deletedAt": null
                     *       },
                     *       {
                     *         "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "role": "text",
                     *         "createdAt": "2025-10-15T16:26:28.000Z",
                     *         "updatedAt": "2025-10-15T16:26:28.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": (components["schemas"]["Team"] | components["schemas"]["TeamMember"])[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    joinTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accessCode": "team_aB3dE5gH7jK9mN1p"
                 *     }
                 */
                "application/json": {
                    accessCode: string;
                };
            };
        };
        responses: {
            /** @description Adds the caller to the team with this access code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "role": "text",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TeamNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeam: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One team with its members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "accessCode": "team_aB3dE5gH7jK9mN1p",
                     *       "logoUrl": null,
                     *       "twoFactorRequired": false,
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null,
                     *       "members": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "role": "text",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "user": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description Anyone who knows it may join. Shown to callers who may change the team. */
                        accessCode: string | null;
                        logoUrl: string | null;
                        /** @constant */
                        twoFactorRequired: false;
                        createdAt: string;
                        updatedAt: string;
                        /** @constant */
                        deletedAt: null;
                        members: components["schemas"]["NamedTeamMember"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example",
                 *       "accessCode": "team_aB3dE5gH7jK9mN1p"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    accessCode?: string;
                };
            };
        };
        responses: {
            /** @description Changes the name or the access code of a team. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "accessCode": "team_aB3dE5gH7jK9mN1p",
                     *       "logoUrl": null,
                     *       "twoFactorRequired": false,
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z",
                     *       "deletedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a team and everything it owns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMyTeams: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                orderBy?: components["parameters"]["orderBy.6"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same as /api/teams. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "accessCode": "team_aB3dE5gH7jK9mN1p",
                     *           "logoUrl": null,
                     *           "twoFactorRequired": false,
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "members": [
                     *             {
                     *               "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "role": "text",
                     *               "createdAt": "2025-10-15T16:26:28.000Z",
                     *               "updatedAt": "2025-10-15T16:26:28.000Z",
                     *               "user": {
                     *                 "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *                 "username": "ada"
                     *               }
                     *             }
                     *           ],
                     *           "_count": {
                     *             "websites": 1,
                     *             "members": 1
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Teams"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserTeams: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                orderBy?: components["parameters"]["orderBy.6"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The teams of a user, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "accessCode": "team_aB3dE5gH7jK9mN1p",
                     *           "logoUrl": null,
                     *           "twoFactorRequired": false,
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "members": [
                     *             {
                     *               "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "role": "text",
                     *               "createdAt": "2025-10-15T16:26:28.000Z",
                     *               "updatedAt": "2025-10-15T16:26:28.000Z",
                     *               "user": {
                     *                 "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *                 "username": "ada"
                     *               }
                     *             }
                     *           ],
                     *           "_count": {
                     *             "websites": 1,
                     *             "members": 1
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Teams"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAdminTeams: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.10"];
                orderBy?: components["parameters"]["orderBy.6"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All teams, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "accessCode": "team_aB3dE5gH7jK9mN1p",
                     *           "logoUrl": null,
                     *           "twoFactorRequired": false,
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "deletedAt": null,
                     *           "members": [
                     *             {
                     *               "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *               "role": "text",
                     *               "createdAt": "2025-10-15T16:26:28.000Z",
                     *               "updatedAt": "2025-10-15T16:26:28.000Z",
                     *               "user": {
                     *                 "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *                 "username": "ada"
                     *               }
                     *             }
                     *           ],
                     *           "_count": {
                     *             "websites": 1,
                     *             "members": 1
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Teams"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeamUsers: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                /** @description Part of the name of the user, in any case. */
                search?: string;
                orderBy?: components["parameters"]["orderBy.7"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Members of a team, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "role": "text",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "updatedAt": "2025-10-15T16:26:28.000Z",
                     *           "user": {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "username": "ada"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NamedTeamMember"][];
                        count: number;
                        page: number;
                        pageSize: number;
                        /** @constant */
                        isCapped?: true;
                        orderBy?: string;
                        sortDescending?: boolean;
                        search?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTeamUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                 *       "role": "team-member"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                    /** @enum {string} */
                    role: "team-member" | "team-view-only" | "team-manager";
                };
            };
        };
        responses: {
            /** @description Adds a user to a team. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "role": "text",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeamUser: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One member of a team. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "role": "text",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateTeamUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "team-member"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    role: "team-member" | "team-view-only" | "team-manager";
                };
            };
        };
        responses: {
            /** @description Changes the role of a team member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "teamId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "userId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "role": "text",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "updatedAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTeamUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                teamId: string;
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removes a member from a team. Every member may leave. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsers: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.11"];
                orderBy?: components["parameters"]["orderBy.7"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Users, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "username": "ada",
                     *           "role": "admin",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "twoFactorRequired": false,
                     *           "_count": {
                     *             "websites": 1
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Users"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ada",
                 *       "password": "correct horse battery staple",
                 *       "role": "user"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    id?: string;
                    username: string;
                    password: string;
                    /** @enum {string} */
                    role: "admin" | "user" | "view-only";
                };
            };
        };
        responses: {
            /** @description Creates a user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "username": "ada",
                     *       "role": "admin"
                     *     }
                     */
                    "application/json": {
                        id: string;
                        username: string;
                        /** @enum {string} */
                        role: "admin" | "user" | "view-only";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAdminUsers: {
        parameters: {
            query?: {
                page?: components["parameters"]["page.2"];
                pageSize?: components["parameters"]["pageSize.2"];
                maxResults?: components["parameters"]["maxResults"];
                search?: components["parameters"]["search.11"];
                orderBy?: components["parameters"]["orderBy.7"];
                sortDescending?: components["parameters"]["sortDescending.2"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Users, paged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "username": "ada",
                     *           "role": "admin",
                     *           "createdAt": "2025-10-15T16:26:28.000Z",
                     *           "twoFactorRequired": false,
                     *           "_count": {
                     *             "websites": 1
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "page": 1,
                     *       "pageSize": 20,
                     *       "isCapped": true,
                     *       "orderBy": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "sortDescending": true,
                     *       "search": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Users"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "username": "ada",
                     *       "role": "admin",
                     *       "createdAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ada",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    username?: string;
                    password?: string;
                    /** @enum {string} */
                    role?: "admin" | "user" | "view-only";
                };
            };
        };
        responses: {
            /** @description Changes a user. A new password ends all sign-ins of the user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "username": "ada",
                     *       "role": "admin",
                     *       "createdAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a user, their websites, and teams without another owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The owner and the kind of this credential. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "authType": "session",
                     *       "user": {
                     *         "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "username": "ada",
                     *         "role": "admin",
                     *         "isAdmin": true
                     *       },
                     *       "apiKey": {
                     *         "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "name": "Example"
                     *       },
                     *       "shareToken": {
                     *         "shareId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "shareType": 1,
                     *         "websiteId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "linkId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "pixelId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "boardId": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "websiteIds": [
                     *           "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *         ],
                     *         "linkIds": [
                     *           "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *         ],
                     *         "pixelIds": [
                     *           "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *         ],
                     *         "parameters": {}
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        authType: "session" | "api-key" | "share";
                        user?: {
                            id: string;
                            username: string;
                            /** @enum {string} */
                            role: "admin" | "user" | "view-only";
                            isAdmin: boolean;
                        };
                        apiKey?: {
                            id: string;
                            name: string;
                        };
                        shareToken?: {
                            shareId: string;
                            shareType: 1 | 2 | 3 | 4;
                            /** @description For a link or a pixel: its own id. Use it in place of a website’s. */
                            websiteId?: string;
                            linkId?: string;
                            pixelId?: string;
                            boardId?: string;
                            /** @description For a board: the websites, links and pixels that it names. */
                            websiteIds?: string[];
                            linkIds?: string[];
                            pixelIds?: string[];
                            parameters: {
                                [key: string]: boolean | string;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateMyPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "correct horse battery staple",
                 *       "newPassword": "another horse battery staple"
                 *     }
                 */
                "application/json": {
                    currentPassword: string;
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description Changes your password. Your other sign-ins end; your keys stay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "username": "ada",
                     *       "role": "admin",
                     *       "createdAt": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMyApiKeys: {
        parameters: {
            query?: {
                search?: components["parameters"]["search.10"];
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your API keys, expired ones included, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "name": "Example",
                     *         "keyPrefix": "text",
                     *         "createdAt": "2025-10-15T16:26:28.000Z",
                     *         "lastUsedAt": "2025-10-15T16:26:28.000Z",
                     *         "access": "read",
                     *         "websiteIds": [
                     *           "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *         ],
                     *         "expiresAt": "2025-10-15T16:26:28.000Z",
                     *         "origins": [
                     *           "https://www.example.com"
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description The first characters of the key. */
                        keyPrefix: string;
                        createdAt: string;
                        /** @description Accurate to five minutes. */
                        lastUsedAt: string | null;
                        /** @enum {string} */
                        access: "read" | "write";
                        /** @description The websites that it opens; null: all of its owner’s. */
                        websiteIds: string[] | null;
                        expiresAt: string | null;
                        /** @description The origins whose pages may use it; null: any. */
                        origins: string[] | null;
                    }[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createMyApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /**
                     * @default write
                     * @enum {string}
                     */
                    access?: "read" | "write";
                    websiteIds?: string[] | null;
                    expiresAt?: string | null;
                    origins?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Creates an API key. Only this answer shows it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "name": "Example",
                     *       "keyPrefix": "text",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "lastUsedAt": "2025-10-15T16:26:28.000Z",
                     *       "access": "read",
                     *       "websiteIds": [
                     *         "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001"
                     *       ],
                     *       "expiresAt": "2025-10-15T16:26:28.000Z",
                     *       "origins": [
                     *         "https://www.example.com"
                     *       ],
                     *       "key": "api_aB3dE5gH7jK9mN1p"
                     *     }
                     */
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description The first characters of the key. */
                        keyPrefix: string;
                        createdAt: string;
                        /** @description Accurate to five minutes. */
                        lastUsedAt: string | null;
                        /** @enum {string} */
                        access: "read" | "write";
                        /** @description The websites that it opens; null: all of its owner’s. */
                        websiteIds: string[] | null;
                        expiresAt: string | null;
                        /** @description The origins whose pages may use it; null: any. */
                        origins: string[] | null;
                        key: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteMyApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hexadecimal digits in the form 8-4-4-4-12, in either case. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes one of your API keys. It stops working. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ada",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    username: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Signs a user in with a password. The token lasts a week. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiJ9.e30.signature",
                     *       "user": {
                     *         "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *         "username": "ada",
                     *         "role": "admin",
                     *         "createdAt": "2025-10-15T16:26:28.000Z",
                     *         "isAdmin": true,
                     *         "teams": [
                     *           {
                     *             "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *             "name": "Example",
                     *             "logoUrl": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        token: string;
                        user: components["schemas"]["SignedInUser"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["IncorrectUsernamePassword"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ends this sign-in. Its token stops working. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed-in user, with their teams. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *       "username": "ada",
                     *       "role": "admin",
                     *       "createdAt": "2025-10-15T16:26:28.000Z",
                     *       "isAdmin": true,
                     *       "teams": [
                     *         {
                     *           "id": "7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001",
                     *           "name": "Example",
                     *           "logoUrl": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SignedInUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    health: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shows that the Worker answers. It asks neither ClickHouse nor D1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    ready: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Says whether D1 and each replica of ClickHouse can be read. The answer is at most a second old. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "d1": "ready",
                     *       "replicas": [
                     *         {
                     *           "name": "Example",
                     *           "state": "ready"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        ok: true;
                        /** @constant */
                        d1: "ready";
                        replicas: {
                            name: string;
                            /** @enum {string} */
                            state: "ready" | "failing";
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    heartbeat: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same as /health, under Umami’s path. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getConfig: {
        parameters: {
            query?: {
                startAt?: components["parameters"]["startAt.2"];
                endAt?: components["parameters"]["endAt.2"];
                startDate?: components["parameters"]["startDate.2"];
                endDate?: components["parameters"]["endDate.2"];
                timezone?: components["parameters"]["timezone.2"];
                unit?: components["parameters"]["unit"];
                compare?: components["parameters"]["compare"];
                page?: components["parameters"]["page"];
                pageSize?: components["parameters"]["pageSize"];
                orderBy?: components["parameters"]["orderBy"];
                sortDescending?: components["parameters"]["sortDescending"];
                search?: components["parameters"]["search.3"];
                query?: components["parameters"]["query.2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration that Umami’s clients ask for before sign-in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cloudMode": false,
                     *       "privateMode": false,
                     *       "telemetryDisabled": true,
                     *       "updatesDisabled": true,
                     *       "trackerScriptName": null,
                     *       "linksUrl": null,
                     *       "pixelsUrl": null,
                     *       "currentVersion": "text"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        cloudMode: false;
                        /** @constant */
                        privateMode: false;
                        /** @constant */
                        telemetryDisabled: true;
                        /** @constant */
                        updatesDisabled: true;
                        trackerScriptName: null;
                        linksUrl: null;
                        pixelsUrl: null;
                        currentVersion: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    read: {
        parameters: {
            query?: {
                deadline?: components["parameters"]["deadline"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paths": [
                 *         "/api/websites/7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001/active",
                 *         "/api/me/websites"
                 *       ]
                 *     }
                 */
                "application/json": {
                    paths: string[];
                };
            };
        };
        responses: {
            /** @description Answers up to 20 GET paths of this API in one round trip, in order, each with a status of its own. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "answers": [
                     *         {
                     *           "path": "/pricing",
                     *           "status": 1,
                     *           "body": null
                     *         }
                     *       ],
                     *       "asOf": "2025-10-15T16:26:28.000Z"
                     *     }
                     */
                    "application/json": {
                        answers: {
                            /** @description The path as sent. */
                            path: string;
                            /** @description The status that GET alone would have. */
                            status: number;
                            /** @description The JSON that GET alone would answer, errors included. */
                            body: unknown;
                        }[];
                        /**
                         * Format: date-time
                         * @description The oldest X-As-Of of the answers; absent where one is not known.
                         */
                        asOf?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
}
