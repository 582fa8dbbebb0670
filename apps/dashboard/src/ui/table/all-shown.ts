import { createContext, useContext } from 'react'

/**
 * Whether fields that are folded away are in the page too: where two changes are compared, fields are called
 * by their labels.
 */
export const AllShown = createContext(false)

export const useAllShown = () => useContext(AllShown)
