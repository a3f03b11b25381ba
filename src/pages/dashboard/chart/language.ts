/**
 * While uPlot loads, it creates a number format for `navigator.language`. A browser without a system locale reports
 * `en-US@posix`, which is not a valid language tag: the error would stop the script of the whole page. So this file has
 * to be imported before uPlot.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  const { locale } = new Intl.NumberFormat().resolvedOptions()
  Object.defineProperty(navigator, 'language', { value: locale })
}
