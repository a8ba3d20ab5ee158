// Look of a state: the icon and the colour beside its words.
export type StateKind = 'good' | 'waiting' | 'trouble' | 'plain'
