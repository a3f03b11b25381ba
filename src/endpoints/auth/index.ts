import type { Endpoint } from '../endpoint.ts'
import { login, logout, verify } from './auth.ts'

export const authEndpoints: readonly Endpoint[] = [login, logout, verify]
