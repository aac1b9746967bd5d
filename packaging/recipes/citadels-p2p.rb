class CitadelsP2p < Formula
  desc "Card game Citadels between laptops, without a server"
  homepage "@address@"
  version "@version@"
  license "MIT"

  on_macos do
    on_arm do
      url "@address@/releases/download/v@version@/citadels-macos-arm64"
      sha256 "@citadels-macos-arm64@"
    end
    on_intel do
      url "@address@/releases/download/v@version@/citadels-macos-x86_64"
      sha256 "@citadels-macos-x86_64@"
    end
  end

  on_linux do
    on_arm do
      url "@address@/releases/download/v@version@/citadels-linux-arm64"
      sha256 "@citadels-linux-arm64@"
    end
    on_intel do
      url "@address@/releases/download/v@version@/citadels-linux-x86_64"
      sha256 "@citadels-linux-x86_64@"
    end
  end

  def install
    bin.install Dir["citadels-*"].first => "citadels"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/citadels --version")
    assert_match "Library", shell_output("#{bin}/citadels rules library --lang en")
  end
end
