import { valueName } from '../dashboard/format/names.ts'

interface Visitor {
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly country: string
  readonly city: string
}

/** Where and with what a visitor was: `Firefox, Windows 10, Desktop, Nepal`. */
export function visitorText({ browser, os, device, country, city }: Visitor): string {
  const all = [valueName('browser', browser), os, valueName('device', device), city, valueName('country', country)]
  return all.filter((one) => one !== '').join(', ')
}
