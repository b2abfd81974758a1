import type {} from '@tiding/elements/types/svelte';
