import type { Endpoint } from '../endpoint.ts'
import { createMyApiKey, deleteMyApiKey, getMyApiKeys } from './api-keys.ts'
import { getMe, updateMyPassword } from './me.ts'

export const myEndpoints: readonly Endpoint[] = [getMe, updateMyPassword, getMyApiKeys, createMyApiKey, deleteMyApiKey]
