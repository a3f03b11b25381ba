/** The attributes that distinguish three visitors. Two cities have the same name, and two visitors the same system. */
export const visitors = [
  {
    ...{ browser: 'chrome', os: 'iOS', device: 'mobile', screen: '1x1', language: 'en-US' },
    ...{ country: 'US', region: 'US-ME', city: 'Portland' },
  },
  {
    ...{ browser: 'firefox', os: 'iOS', device: 'laptop', screen: '', language: 'EN_gb' },
    ...{ country: 'US', region: 'US-OR', city: 'Portland' },
  },
  { browser: 'chrome', os: '', device: '', screen: '2x2', language: 'de', country: 'DE', region: '', city: 'Berlin' },
]
