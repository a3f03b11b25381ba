/** The script tag that counts a website's visits, for a Weir at this URL. */
export const scriptTag = (url: string, websiteId: string): string =>
  `<script defer src="${url}/script.js" data-website-id="${websiteId}"></script>`
