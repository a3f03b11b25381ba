import type { Endpoint } from '../endpoint.ts'
import { getSubscription, login, logout, verify } from './auth.ts'

export const authEndpoints: readonly Endpoint[] = [login, logout, verify, getSubscription]
