import { configure } from '@testing-library/react'

// A busy machine may need seconds for what takes milliseconds elsewhere. Every wait for an event ends
// after this time; a test as a whole has 30 s.
configure({ asyncUtilTimeout: 10_000 })
