// What the router imports to report on itself, which it does for those alone who ask for it.

export const consumeInstrumentationClientResultMetaReceiver = () => undefined

export const getRouteInstrumentationUpdates = refuse
export const instrumentClientSideRouter = refuse

function refuse(): never {
  throw new Error('The build leaves instrumentations out (bundling/plain-parts.ts).')
}
