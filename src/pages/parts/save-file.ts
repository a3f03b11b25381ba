/** Makes the browser save a file. */
export function saveFile(name: string, file: Blob): void {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(file), download: name })
  link.click()
  URL.revokeObjectURL(link.href)
}
