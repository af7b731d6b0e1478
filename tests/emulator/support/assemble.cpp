#include "tests/emulator/support/assemble.hpp"

#include <llvm-c/Target.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/TargetParser/Triple.h>

#include <memory>
#include <mutex>

namespace mxproof::emulator {
namespace {

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
  });
}

void keep_message(const llvm::SMDiagnostic& diagnostic, void* context) {
  auto& message = *static_cast<std::string*>(context);
  message += diagnostic.getMessage().str() + " in '" + diagnostic.getLineContents().str() + "'; ";
}

}  // namespace

Expected<std::vector<std::byte>> assemble(const std::string& text) {
  initialize_llvm();
  const llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) return Status::internal(error);

  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text + "\n"), llvm::SMLoc());
  std::string message;
  sources.setDiagHandler(keep_message, &message);

  llvm::MCTargetOptions options;
  const std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  const std::unique_ptr<llvm::MCAsmInfo> info(target->createMCAsmInfo(*registers, triple, options));
  const std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, "gfx950", ""));
  llvm::MCContext context(triple, info.get(), registers.get(), subtarget.get(), &sources, &options);
  const std::unique_ptr<llvm::MCObjectFileInfo> object_info(target->createMCObjectFileInfo(context, false));
  context.setObjectFileInfo(object_info.get());

  llvm::SmallString<1024> object;
  llvm::raw_svector_ostream out(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(target->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCCodeEmitter> emitter(target->createMCCodeEmitter(*instructions, context));
  auto writer = backend->createObjectWriter(out);
  const std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  const std::unique_ptr<llvm::MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, *info));
  const std::unique_ptr<llvm::MCTargetAsmParser> target_parser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*target_parser);
  if (parser->Run(false) || !message.empty()) return Status::bad_input("does not assemble: " + message);

  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "assembled"));
  if (!file) return Status::internal(toString(file.takeError()));
  for (const llvm::object::SectionRef& section : (*file)->sections()) {
    if (!section.isText()) continue;
    auto contents = section.getContents();
    if (!contents) return Status::internal(toString(contents.takeError()));
    const auto* bytes = reinterpret_cast<const std::byte*>(contents->data());
    return std::vector<std::byte>(bytes, bytes + contents->size());
  }
  return Status::internal("the assembled object has no text");
}

}  // namespace mxproof::emulator
