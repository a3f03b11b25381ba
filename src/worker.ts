import { api } from './app.ts'

export default api()
