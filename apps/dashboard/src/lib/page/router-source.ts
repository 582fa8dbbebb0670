import { createContext } from 'react'
import type { DataRouter } from 'react-router'

/**
 * Gives the router itself to the screens: what they have rendered of it is late on a busy machine. Apart from what
 * reads it, because each first load has it.
 */
export const RouterSource = createContext<DataRouter | undefined>(undefined)
