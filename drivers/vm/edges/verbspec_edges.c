// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Linked first into a module that ci/kernel-module.sh builds with --edges. The compiler has each block of code of the
 * module call __sanitizer_cov_trace_pc(), which sets a byte of a map; where that call stands in the module says which one.
 *
 * The map is memory that QEMU shares with verbspec, as the BAR of a PCI device. Nobody has to ask the VM for it, so that
 * it takes none of its time and outlives a panic. Where there is no such device, nothing is recorded.
 */
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* An ivshmem device of QEMU, and the BAR that is its memory. */
#define IVSHMEM_VENDOR 0x1af4
#define IVSHMEM_DEVICE 0x1110
#define IVSHMEM_BAR 2

/* As edge-map.ts has them: the device of somebody else is left alone. */
#define MEMORY_BYTES (1024 * 1024)
#define MAP_AT 64
static const char mark[] = "verbspec edges 1";

static bool is_looked_for;
static u8 *map;

void __sanitizer_cov_trace_pc(void);

static u8 *open_memory(struct pci_dev *device)
{
	u8 *memory;

	if (pci_resource_len(device, IVSHMEM_BAR) != MEMORY_BYTES || pci_enable_device_mem(device))
		return NULL;
	memory = memremap(pci_resource_start(device, IVSHMEM_BAR), MEMORY_BYTES, MEMREMAP_WB);
	if (!memory || !memcmp(memory, mark, sizeof(mark)))
		return memory;
	memunmap(memory);
	return NULL;
}

/* The first block that runs is that of the module's init function, before there is anything that others could enter. */
static noinline void look_for_map(void)
{
	struct pci_dev *device = NULL;
	u8 *memory = NULL;

	is_looked_for = true;
	while (!memory && (device = pci_get_device(IVSHMEM_VENDOR, IVSHMEM_DEVICE, device)))
		memory = open_memory(device);
	pci_dev_put(device);
	if (memory)
		map = memory + MAP_AT;
}

/* A byte is set by one store, whoever else does so; what is set already is only read, as processors share the map. */
void notrace __sanitizer_cov_trace_pc(void)
{
	unsigned long at = (unsigned long)__builtin_return_address(0) - (unsigned long)__sanitizer_cov_trace_pc;

	if (unlikely(!is_looked_for)) {
		/* Not open here; objtool cannot know, and takes this function for one that is called where it is. */
		unsigned long access = user_access_save();

		look_for_map();
		user_access_restore(access);
	}
	if (map && at < MEMORY_BYTES - MAP_AT && !READ_ONCE(map[at]))
		WRITE_ONCE(map[at], 1);
}
