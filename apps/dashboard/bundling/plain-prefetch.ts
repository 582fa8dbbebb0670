import { createContext, type Ref } from 'react'

// What the router's links import from its framework. Where that does not run, they load nothing ahead.

export const FrameworkContext = createContext(undefined)

export const usePrefetchBehavior = () => [false, null, {}] as const

export const PrefetchPageLinks = () => null

export const mergeRefs = <Value>(ref: Ref<Value>) => ref
