import { countryName, valueName } from './names.ts'

interface Device {
  readonly browser: string
  readonly os: string
  readonly device: string
}

interface Place {
  readonly country: string
  readonly city: string
}

const joined = (texts: readonly string[], between: string): string => texts.filter((text) => text !== '').join(between)

/** With what a visitor was there: `Firefox · Windows 10 · Desktop`. */
export const deviceText = ({ browser, os, device }: Device): string =>
  joined([valueName('browser', browser), os, valueName('device', device)], ' · ')

/** Where a visitor was: `Kathmandu, Nepal`. */
export const placeText = ({ country, city }: Place): string =>
  joined([city, country === '' ? '' : countryName(country)], ', ') || 'Unknown place'

/** Where and with what a visitor was: `Firefox, Windows 10, Desktop, Kathmandu, Nepal`. */
export const visitorText = ({ browser, os, device, country, city }: Device & Place): string =>
  joined([valueName('browser', browser), os, valueName('device', device), city, valueName('country', country)], ', ')
