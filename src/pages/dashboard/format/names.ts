import type { FilterField, SettingField } from '../address/fields.ts'
import { remembered } from './remembered.ts'

/** The names of values as viewers see them. A value without a known name is shown as it is. */

function namesOf(type: 'region' | 'language') {
  const names = remembered(() => new Intl.DisplayNames(undefined, { type, fallback: 'code' }))
  return (code: string): string => {
    try {
      return names().of(code) ?? code
    } catch {
      return code
    }
  }
}

export const countryName = namesOf('region')
const languageName = namesOf('language')

/** The country code, if it has two letters; otherwise empty. */
export const markOf = (code: string): string => (/^[A-Z]{2}$/.test(code) ? code : '')

const browsers: Readonly<Record<string, string>> = {
  ...{ chrome: 'Chrome', crios: 'Chrome (iOS)', 'chromium-webview': 'Android WebView', 'edge-chromium': 'Edge' },
  ...{ edge: 'Edge (legacy)', 'edge-ios': 'Edge (iOS)', firefox: 'Firefox', fxios: 'Firefox (iOS)' },
  ...{ safari: 'Safari', ios: 'Safari (iOS)', 'ios-webview': 'iOS WebView', samsung: 'Samsung Internet' },
  ...{ opera: 'Opera', 'opera-mini': 'Opera Mini', yandexbrowser: 'Yandex', facebook: 'Facebook' },
  ...{ instagram: 'Instagram', ie: 'Internet Explorer', miui: 'MIUI', silk: 'Silk', curl: 'curl' },
}

const devices: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  laptop: 'Laptop',
  mobile: 'Phone',
  tablet: 'Tablet',
}

const channels: Readonly<Record<string, string>> = {
  ...{ direct: 'Direct', affiliate: 'Affiliates', email: 'Email', sms: 'SMS', referral: 'Referrals' },
  ...{ organicSearch: 'Organic search', organicSocial: 'Organic social', organicShopping: 'Organic shopping' },
  ...{ organicVideo: 'Organic video', llm: 'AI assistants', paidAds: 'Paid ads', paidSearch: 'Paid search' },
  ...{ paidSocial: 'Paid social', paidShopping: 'Paid shopping', paidVideo: 'Paid video' },
}

/** The values of the other filter parameters. Any value of `excludeBounce` except `false` and `0` excludes bounces. */
export const settingNames = {
  eventType: { 1: 'Page view', 2: 'Custom event', 3: 'Link', 4: 'Pixel', 5: 'Performance' },
  match: { all: 'all must match', any: 'one is enough' },
  excludeBounce: { true: 'left out', false: 'counted', 0: 'counted' },
} as const satisfies Readonly<Record<SettingField, Readonly<Record<string, string>>>>

const of =
  (names: Readonly<Record<string, string>>) =>
  (value: string): string =>
    Object.hasOwn(names, value) ? (names[value] as string) : value

/** What the values in a list are: the values of a field to filter by, or of another metric type. */
export type ValueKind = FilterField | 'channel' | 'screen' | 'entry' | 'exit'

export function valueName(kind: ValueKind, value: string): string {
  switch (kind) {
    case 'country':
      return countryName(value)
    case 'language':
      return languageName(value)
    case 'browser':
      return of(browsers)(value)
    case 'device':
      return of(devices)(value)
    case 'channel':
      return of(channels)(value)
    case 'eventType':
    case 'match':
      return of(settingNames[kind])(value)
    case 'excludeBounce':
      return of(settingNames[kind])(value === 'false' || value === '0' ? value : 'true')
    default:
      return value
  }
}
