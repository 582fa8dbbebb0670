import { loadMoreTexts } from '../../lib/format/language.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'

// What is shown after the form of the login: loaded apart, for every page of the dashboard holds that form.

export { LoginOffers, PasskeyOffer } from './login-offers.tsx'

export const SecondStep = lazyPart(async () => {
  // The texts first: modules look theirs up once.
  await loadMoreTexts()
  return (await import('./second-step.tsx')).SecondStep
})
