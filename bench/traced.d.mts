import type { Span } from './night-parts.ts'

export function recordStatements(): Span[]
