import type { Endpoint } from '../endpoint.ts'
import { getSubscription, login, logout, verify } from './auth.ts'
import { sso, startSignOn } from './sign-on.ts'

export const authEndpoints: readonly Endpoint[] = [login, logout, verify, startSignOn, sso, getSubscription]
