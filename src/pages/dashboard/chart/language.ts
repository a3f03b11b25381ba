/**
 * uPlot makes a number format of `navigator.language` while it loads. A browser without a locale of its system has
 * `en-US@posix` there, which is no language tag: that would end the script of the whole page. So this file has to come
 * before uPlot.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  const { locale } = new Intl.NumberFormat().resolvedOptions()
  Object.defineProperty(navigator, 'language', { value: locale })
}
