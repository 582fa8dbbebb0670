import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/** A component whose code is loaded when it is shown for the first time; until then `meanwhile` is there. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
) {
  const Part = lazy(async () => ({ default: await load() }))
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    )
  }
}
