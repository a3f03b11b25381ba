/**
 * uPlot makes a number format of `navigator.language` while it loads. A browser without a system locale reports
 * `en-US@posix`, which is not a valid language tag: that would end the script of the whole page. So this file has to
 * come before uPlot.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  const { locale } = new Intl.NumberFormat().resolvedOptions()
  Object.defineProperty(navigator, 'language', { value: locale })
}
