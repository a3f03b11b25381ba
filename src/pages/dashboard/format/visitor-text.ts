import { countryName, valueName } from './names.ts'

interface Visitor {
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly country: string
  readonly city: string
}

const joined = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join(', ')

/** With what a visitor was there: `Firefox, Windows 10, Desktop`. */
export const deviceText = ({ browser, os, device }: Omit<Visitor, 'country' | 'city'>): string =>
  joined(valueName('browser', browser), os, valueName('device', device))

/** Where a visitor was: `Kathmandu, Nepal`. */
export const placeText = ({ country, city }: Pick<Visitor, 'country' | 'city'>): string =>
  joined(city, country === '' ? '' : countryName(country)) || 'Unknown place'

/** Where and with what a visitor was. */
export const visitorText = (visitor: Visitor): string => `${deviceText(visitor)} · ${placeText(visitor)}`
