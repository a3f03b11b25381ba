import createClient from 'openapi-fetch'

export function weirClient({ url, key, shareToken, headers, ...options }) {
  return createClient({
    ...options,
    baseUrl: url,
    headers: {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(shareToken && { 'x-weir-share-token': shareToken }),
      ...headers,
    },
  })
}
