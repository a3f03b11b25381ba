import * as z from 'zod'
import { intField, limitField, namedField } from '../fields.ts'
import { hintOfLimit, tool } from '../tool.ts'

type Names = { name: string; value: number }[]
interface Attribution {
  readonly total: { readonly pageviews: number; readonly visitors: number; readonly visits: number }
  readonly referrer: Names
  readonly paidAds: Names
  readonly utm_source: Names
  readonly utm_medium: Names
  readonly utm_campaign: Names
  readonly utm_content: Names
  readonly utm_term: Names
}

export const runAttributionTool = tool({
  name: 'run_attribution',
  description: 'Which referrers, ads and campaigns brought the visitors who converted.',
  example: { startAt: 'last_30_days', conversionType: 'event', conversion: 'signup' },
  time: 'range',
  isFiltered: true,
  input: () => ({
    model: z.enum(['first-click', 'last-click']).default('last-click').describe('Which touch gets the credit.'),
    conversionType: z.enum(['path', 'event']).describe('What a conversion is: a view of a path, or an event.'),
    conversion: z.string().min(1).max(500).describe('That path or event name; * at an end matches any text.'),
    limit: limitField(),
  }),
  output: () => ({
    total: z.object({ conversions: intField(), visitors: intField(), visits: intField() }),
    referrers: namedField(),
    paidAds: namedField(),
    utmSources: namedField(),
    utmMediums: namedField(),
    utmCampaigns: namedField(),
    utmContents: namedField(),
    utmTerms: namedField(),
  }),
  units: 'value: visitors who converted. total.conversions: how often.',
  async answer({ model, conversionType, conversion, limit }, { read }) {
    const { body } = await read<Attribution>('attribution', { model, type: conversionType, step: conversion, limit })
    const { pageviews, visitors, visits } = body.total
    const lists = {
      referrers: body.referrer,
      paidAds: body.paidAds,
      utmSources: body.utm_source,
      utmMediums: body.utm_medium,
      utmCampaigns: body.utm_campaign,
      utmContents: body.utm_content,
      utmTerms: body.utm_term,
    }
    const total = { conversions: pageviews, visitors, visits }
    return { total, ...lists, ...hintOfLimit(limit, Object.values(lists)) }
  },
})
