import { lazy, Suspense, type ComponentType } from 'react'

/** A component whose code is loaded when it is shown for the first time; nothing is there until then. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazy(async () => ({ default: await load() }))
  return function LazyPart(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    )
  }
}
