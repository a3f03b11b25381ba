import { channelLists } from '../../src/channel-lists.ts'
import { channelNames } from '../oracle/channels.ts'
import type { IngestRow } from '../oracle/model.ts'

/** The sources of landings, with each name from Weir's and the oracle's lists in every position. */

type Landing = Partial<IngestRow>

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

const { llm, mail, search, social, shop, video } = channelLists
const entries = unique([...[llm, mail, search, social, shop, video].flat(), ...channelNames.entries])

/** A listed domain, its subdomain, a domain that only has the same suffix, and brands with and without endings. */
const sites = entries.flatMap((entry) =>
  entry.endsWith('.')
    ? [`${entry}com`, `www.${entry}co.uk`, `a.${entry}de`, `${entry}example.com`, entry.slice(0, -1), `not${entry}com`]
    : [entry, `www.${entry}`, `a.b.${entry}`, `not${entry}`, entry.toUpperCase(), entry.replace(/\.\w+$/, '')],
)

const apps = unique([...Object.keys(channelLists.apps), ...channelNames.apps, 'com.slack', 'com.example.google.com'])

const ids = unique([...channelLists.adClickIds, ...channelNames.clickIds, 'fbclid', 'epik', 'gad', 'gbraids'])

const media = [
  ...['referral', 'app', 'link', 'affiliate', 'affiliates', 'sms', 'SMS', 'E-Mailing', 'newsletter', 'Newsletter_2'],
  ...['organic', 'social', 'social-network', 'social-media', 'sm', 'shop', 'eshop', 'workshop', 'shopping', 'video'],
  ...[
    ...['cpc', 'ppc', 'retargeting', 'paid-social', 'display', 'banner', 'interstitial', 'displays', 'qr', 'push'],
    'cp\n',
  ],
]

const from: readonly Landing[] = [
  {},
  ...['google.com', 'm.facebook.com', 'amazon.de', 'youtu.be', 'example.org', 'shop.example'].map(
    (referrer_domain) => ({ referrer_domain }),
  ),
]

const all: readonly Landing[] = [
  {},
  ...sites.flatMap((site) => [{ referrer_domain: site }, { utm_source: site }]),
  ...sites.slice(0, 40).map((utm_source) => ({ utm_source, referrer_domain: 'shop.example' })),
  ...apps.flatMap((app) => [{ referrer_domain: app }, { referrer_domain: app.toUpperCase() }, { utm_source: app }]),
  ...ids.flatMap((id) => [
    { url_query: `a=1&${id}=x`, referrer_domain: 'l.facebook.com' },
    { url_query: `${id.toUpperCase()}=x` },
    { url_query: `${id}=&b=${id}` },
  ]),
  ...(['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'] as const).map((column) => ({ [column]: 'x' })),
  ...media.flatMap((utm_medium) => from.map((one) => ({ ...one, utm_medium }))),
  ...['partner', 'newsletter', 'Newsletter', 'my-newsletter', 'sms', 'example.org', 'www.'].map((utm_source) => ({
    utm_source,
  })),
  { utm_campaign: 'spring' },
  { referrer_domain: 'www.' },
]

export const landings: readonly Landing[] = all.map((one) => ({ hostname: 'www.shop.example', ...one }))
