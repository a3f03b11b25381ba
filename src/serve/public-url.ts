/** What `PUBLIC_URL` must be. */
export const aPublicUrl = 'a URL such as https://weir.example.com, without a query'

/** Whether this can be the address at which callers reach the Worker. */
export const isPublicUrl = (text: string): boolean => /^https?:\/\/[^?#]+$/.test(text) && URL.canParse(text)
