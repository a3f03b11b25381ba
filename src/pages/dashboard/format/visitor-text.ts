import { countryName, valueName } from './names.ts'

interface Visitor {
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly country: string
  readonly city: string
}

const joined = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join(', ')

/** A visitor's browser, system and device: `Firefox, Windows 10, Desktop`. */
export const deviceText = ({ browser, os, device }: Omit<Visitor, 'country' | 'city'>): string =>
  joined(valueName('browser', browser), os, valueName('device', device))

/** A visitor's place: `Kathmandu, Nepal`. */
export const placeText = ({ country, city }: Pick<Visitor, 'country' | 'city'>): string =>
  joined(city, country === '' ? '' : countryName(country)) || 'Unknown place'

/** A visitor's device and place. */
export const visitorText = (visitor: Visitor): string => `${deviceText(visitor)} · ${placeText(visitor)}`
