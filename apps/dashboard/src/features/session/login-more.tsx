import { loadMoreTexts } from '../../lib/language.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'

// What the login page shows after its form: loaded apart, for every page of the dashboard holds that form.

export { LoginOffers } from './login-offers.tsx'

export const SecondStep = lazyPart(async () => {
  // The texts first: modules look theirs up once.
  await loadMoreTexts()
  return (await import('./second-step.tsx')).SecondStep
})
