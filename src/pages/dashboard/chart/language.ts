/**
 * While uPlot loads, it creates a number format for `navigator.language`. A browser without a system locale reports
 * `en-US@posix`, which is not a valid language tag. The error would stop the page's whole script, so this file must be
 * imported before uPlot.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  const { locale } = new Intl.NumberFormat().resolvedOptions()
  Object.defineProperty(navigator, 'language', { value: locale })
}
